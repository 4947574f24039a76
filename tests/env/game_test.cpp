#include "env/game.hpp"

#include <algorithm>
#include <sstream>

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::Board;
using env::Game;
using env::RuleSet;

// The fewest quiet plies after which a line of play from `board` has `start` again, at most
// `limit`; limit + 1 if none has.
int shortest_return(const RuleSet& rules, const Board& start, const Board& board, int limit) {
  int shortest = limit + 1;
  for (env::Move move = 0; move < env::kMoves && limit > 0; ++move) {
    if (board.pits[move] == 0) continue;
    Board next = board;
    if (env::play(rules, next, move) > 0) continue;
    if (next == start) return 1;
    shortest = std::min(shortest, 1 + shortest_return(rules, start, next, limit - 1));
  }
  return shortest;
}

// Lays `seeds` seeds into the pits from `pit` on in every way.
template <typename Visitor>
void for_each_board(Board& board, int pit, int seeds, const Visitor& visit) {
  if (pit + 1 == env::kPits) {
    board.pits[pit] = static_cast<std::uint8_t>(seeds);
    visit(board);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    board.pits[pit] = static_cast<std::uint8_t>(here);
    for_each_board(board, pit + 1, seeds - here, visit);
  }
}

}  // namespace

TEST_CASE("a game counts plies, quiet plies and repetitions") {
  RuleSet rules;
  rules.repetition_occurrence = 3;
  Game game =
      env::replay(rules, env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"), "AaBbCcDdEeFf");
  CHECK(game.position().ply == 12);
  CHECK(game.position().quiet_plies == 12);
  CHECK(game.position().repetitions == 1);
  CHECK(game.history().size() == 13);
  CHECK(game.history().front() == game.history().back());
  CHECK(env::count_occurrences(game.history(), game.board()) == 2);
  CHECK_FALSE(game.over());
}

TEST_CASE("no position comes back in fewer plies than the shortest cycle") {
  RuleSet rules;
  rules.must_feed = false;
  int shortest = 1000;
  for (int seeds = 1; seeds <= 4; ++seeds) {
    Board board;
    for_each_board(board, 0, seeds, [&](const Board& start) {
      shortest = std::min(shortest, shortest_return(rules, start, start, env::kShortestCyclePlies));
    });
  }
  CHECK(shortest == env::kShortestCyclePlies);
}

TEST_CASE("a capture clears the history") {
  Game game(RuleSet{}, env::parse_board("1-0-0-0-0-1-1-0-0-0-0-4-20-21-S"));
  game.play(0);
  game.play(0);
  CHECK(game.history().size() == 3);
  const Board capturing = env::parse_board("1-0-0-0-0-1-1-0-0-0-0-4-20-21-S");
  Game other(RuleSet{}, capturing);
  CHECK(other.play(5) == 2);
  CHECK(other.history().size() == 1);
  CHECK(other.history().back() == other.board());
  CHECK(other.position().quiet_plies == 0);
  CHECK(other.position().ply == 1);
}

TEST_CASE("an illegal move changes nothing") {
  Game game(RuleSet{}, env::parse_board("6-0-0-0-1-0-0-0-0-0-0-0-20-21-S"));
  const Board before = game.board();
  for (const int move : {1, 4, 6, 255}) {  // empty, does not feed, no pit, no move
    CHECK_FALSE(
        error_of(ErrorKind::kPosition, [&] { game.play(static_cast<env::Move>(move)); }).empty());
    CHECK(game.board() == before);
    CHECK(game.position().ply == 0);
    CHECK(game.history().size() == 1);
  }
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { game.play(6); }),
                 "no such move: 6, legal are A"));
}

TEST_CASE("a start position may be over") {
  const Game game(RuleSet{}, env::parse_board("1-1-0-0-0-0-0-0-0-0-0-0-20-26-S"));
  REQUIRE(game.over());
  CHECK(game.legal() == 0);
  CHECK(game.outcome().reason == env::EndReason::kTarget);  // tested before the lack of moves
  CHECK(game.outcome().margin_south_seeds == 22 - 26);
}

TEST_CASE("the outcome is South's whoever was to move") {
  const Game south(RuleSet{}, env::parse_board("0-0-0-0-0-0-3-0-0-0-0-0-24-21-S"));
  const Game north(RuleSet{}, env::parse_board("0-0-0-3-0-0-0-0-0-0-0-0-24-21-N"));
  REQUIRE((south.over() && north.over()));
  CHECK(south.outcome().margin_south_seeds == 24 - 24);
  CHECK(north.outcome().margin_south_seeds == 27 - 21);
}

TEST_CASE("a start position of more than 48 seeds is refused") {
  Board board = env::initial_board();
  board.pits[3] = 200;
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { Game(RuleSet{}, board); }),
                 "holds 244 seeds, expected at most 48"));
}

TEST_CASE("invalid rules are refused") {
  RuleSet rules;
  rules.target_seeds = 50;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { Game game(rules); }), "rules.target_seeds"));
}

TEST_CASE("boards are equal when pits, stores and side are") {
  const Board board = env::parse_board("1-2-3-4-5-6-0-7-0-8-0-9-1-2-N");
  std::vector<Board> others(4, board);
  others[0].pits[0] = 1;
  std::swap(others[1].store_to_move, others[1].store_opponent);
  others[2].to_move = env::Side::kSouth;
  for (int i = 0; i < 3; ++i) {
    CHECK_FALSE(others[i] == board);
    CHECK(hash(others[i]) != hash(board));
  }
  CHECK(others[3] == board);
  CHECK(hash(others[3]) == hash(board));
  std::ostringstream stream;
  stream << board;
  CHECK(stream.str() == "1-2-3-4-5-6-0-7-0-8-0-9-1-2-N");
}

}  // namespace awale::test
