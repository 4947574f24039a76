#include "env/notation.hpp"

#include "env/game.hpp"
#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::SeedCount;
using env::Side;

std::string board_error(const std::string& text, SeedCount seeds = SeedCount::kGame) {
  return error_of(ErrorKind::kPosition, [&] { env::parse_board(text, seeds); });
}

std::string replay_error(const std::string& moves) {
  return error_of(ErrorKind::kPosition,
                  [&] { env::replay(env::RuleSet{}, env::initial_board(), moves); });
}

}  // namespace

TEST_CASE("a position keeps South's orientation whoever is to move") {
  CHECK(to_text(env::initial_board()) == "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S");
  const env::Board north = env::parse_board("1-2-3-4-5-6-0-7-0-8-0-9-1-2-N");
  CHECK(north.to_move == Side::kNorth);
  CHECK(north.pits == std::array<std::uint8_t, 12>{0, 7, 0, 8, 0, 9, 1, 2, 3, 4, 5, 6});
  CHECK(north.store_to_move == 2);
  CHECK(north.store_opponent == 1);
}

TEST_CASE("every position of a game survives the round trip through text") {
  for (std::uint64_t id = 0; id < 20; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
    env::Game game(env::RuleSet{});
    while (!game.over()) {
      REQUIRE(env::parse_board(to_text(game.board())) == game.board());
      const env::Move move = static_cast<env::Move>(random.below(env::kMoves));
      if ((game.legal() >> move & 1) != 0) game.play(move);
    }
  }
}

TEST_CASE("a study position may hold fewer seeds and leave out stores and side") {
  const env::Board board = env::parse_board("0-0-0-0-0-1-1-0-0-0-0-0", SeedCount::kStudy);
  CHECK(to_text(board) == "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S");
  CHECK(to_text(env::parse_board("0-0-0-0-0-1-1-0-0-0-0-0-3-4-N", SeedCount::kStudy)) ==
        "0-0-0-0-0-1-1-0-0-0-0-0-3-4-N");
}

TEST_CASE("a malformed position is refused with the name of the field") {
  CHECK(board_error("") ==
        "position '': expected 15 fields (12 pits, 2 stores, S or N) joined by "
        "'-', found 1");
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0-0"), "expected 15 fields"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0-0-0-S"), "found 16"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4"), "found 12"));
  CHECK(contains(board_error("x-4-4-4-4-4-4-4-4-4-4-4-0-0-S"),
                 "pit A: expected a number 0..48, found 'x'"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-49-0-0-S"), "pit f: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-99999999999-0-0-S"), "pit f: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-+4-4-4-4-4-4-0-0-S"), "pit a: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0.0-0-S"), "South's store: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0- 0-S"), "North's store: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0--S"), "North's store: expected"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0-0-s"),
                 "side to move: expected S or N, found 's'"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S "), "side to move: expected S or N"));
}

TEST_CASE("a negative number splits into one field too many") {
  CHECK(contains(board_error("-4-4-4-4-4-4-4-4-4-4-4-12-0-0-S"), "found 16"));
}

TEST_CASE("a position with another number of seeds is refused") {
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S"),
                 "pits and stores hold 49 seeds, expected 48"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-3-0-0-S"), "hold 47 seeds, expected 48"));
  CHECK(contains(board_error("4-4-4-4-4-4-4-4-4-4-4-4-1-0-S", SeedCount::kStudy),
                 "hold 49 seeds, expected at most 48"));
  CHECK(board_error("4-4-4-4-4-4-4-4-4-4-4-3-0-0-S", SeedCount::kStudy).empty());
}

TEST_CASE("a move is the letter of its origin pit in its side's case") {
  for (env::Move move = 0; move < env::kMoves; ++move) {
    CHECK(env::move_letter(Side::kSouth, move) == "ABCDEF"[move]);
    CHECK(env::move_letter(Side::kNorth, move) == "abcdef"[move]);
    CHECK(env::parse_move("ABCDEF"[move], Side::kSouth) == move);
    CHECK(env::parse_move("abcdef"[move], Side::kNorth) == move);
  }
  CHECK(env::moves_text(Side::kSouth, 0b101001) == "A D F");
  CHECK(env::moves_text(Side::kNorth, 0b000010) == "b");
  CHECK(env::moves_text(Side::kNorth, 0).empty());
}

TEST_CASE("a letter of the wrong side is refused with the ply") {
  const auto error = [](char letter, Side side) {
    return error_of(ErrorKind::kPosition, [&] { env::parse_move(letter, side, 7); });
  };
  CHECK(error('a', Side::kSouth) == "ply 7: expected one of A B C D E F, found 'a'");
  CHECK(error('A', Side::kNorth) == "ply 7: expected one of a b c d e f, found 'A'");
  CHECK(contains(error('G', Side::kSouth), "found 'G'"));
  CHECK(contains(error('@', Side::kSouth), "found '@'"));
  CHECK(contains(error('g', Side::kNorth), "found 'g'"));
}

TEST_CASE("a game text is refused at the ply that is wrong") {
  CHECK(replay_error("FfBeBc").empty());
  CHECK(contains(replay_error("FfBeBC"), "ply 6: expected one of a b c d e f, found 'C'"));
  CHECK(contains(replay_error("Ff Be"), "ply 3: expected one of A B C D E F, found ' '"));
  CHECK(contains(replay_error("AaA"), "ply 3 at 0-5-5-5-5-4-0-5-5-5-5-4-0-0-S: illegal move A"));
  CHECK(contains(replay_error("AaA"), "legal are B C D E F"));
}

TEST_CASE("a move after the end is refused with the reason of the end") {
  const env::Board last = env::parse_board("0-0-0-0-0-1-1-0-0-0-0-0-23-23-S");
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { env::replay(env::RuleSet{}, last, "Fa"); }),
                 "ply 2 at 0-0-0-0-0-0-2-0-0-0-0-0-23-23-N: the game is over (no_moves)"));
}

}  // namespace awale::test
