#include "env/reference_data.hpp"

#include <sstream>

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

const std::string kStart = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S";
const std::string kAfterF = "4-4-4-4-4-0-5-5-5-5-4-4-0-0-N";

std::string ply_error(const std::string& line) {
  return error_of(ErrorKind::kFile, [&] { env::parse_ply(line); });
}

std::string game_error(const std::string& line) {
  return error_of(ErrorKind::kFile, [&] { env::parse_game(line); });
}

std::string perft_error(const std::string& line) {
  return error_of(ErrorKind::kFile, [&] { env::parse_perft(line); });
}

// The records of a file with their numbers: "2:FfBe 4:Aa ".
std::string records(const std::string& text) {
  std::istringstream stream(text);
  std::string found;
  env::for_each_record(stream, "file.txt", [&](std::string_view line, std::uint64_t number) {
    found += std::to_string(number) + ":" + std::string(line) + " ";
  });
  return found;
}

std::string file_error(const std::string& text) {
  return error_of(ErrorKind::kFile, [&] { records(text); });
}

// What is said about a file whose first record is refused with `message`.
std::string refused(const std::string& message) {
  std::istringstream stream("# head\nrecord\n");
  return error_of(ErrorKind::kFile, [&] {
    env::for_each_record(stream, "file.txt", [&](std::string_view, std::uint64_t) {
      throw InputError(ErrorKind::kPosition, message);
    });
  });
}

}  // namespace

TEST_CASE("a recorded ply is its position, legal moves, move and next position") {
  const auto ply = env::parse_ply(kStart + " 63\tF  " + kAfterF);
  CHECK(to_text(ply.board) == kStart);
  CHECK(ply.legal == 63);
  CHECK(ply.move == 5);
  CHECK(to_text(ply.next) == kAfterF);
}

TEST_CASE("a malformed ply is refused with the field") {
  CHECK(ply_error(kStart + " 63 F") ==
        "expected 4 fields (position, legal moves, move, next position), found 3");
  CHECK(contains(ply_error(kStart + " 64 F " + kAfterF), "legal moves: expected a number 0..63"));
  CHECK(contains(ply_error(kStart + " -1 F " + kAfterF), "legal moves: "));
  CHECK(contains(ply_error(kStart + " 6x F " + kAfterF), "found '6x'"));
  CHECK(ply_error(kStart + " 63 f " + kAfterF) == "move: expected one of A B C D E F, found 'f'");
  CHECK(contains(ply_error(kStart + " 63 FF " + kAfterF), "found 'FF'"));
  CHECK(contains(error_of(ErrorKind::kPosition,
                          [] { env::parse_ply(kStart + " 63 F 4-4-4-4-4-0-5-5-5-5-4-4-0-1-N"); }),
                 "hold 49 seeds, expected at most 48"));
}

TEST_CASE("a ply from a study position is a record like others") {
  const auto ply =
      env::parse_ply("1-0-0-0-0-1-0-0-0-0-0-0-0-0-S 32 F 1-0-0-0-0-0-1-0-0-0-0-0-0-0-N");
  CHECK(env::total_seeds(ply.board) == 2);
  CHECK(ply.legal == 0b100000);
}

TEST_CASE("a recorded game is its moves, its end and two scores") {
  const auto game = env::parse_game("FfBe majority 12-25 16-32");
  CHECK(game.moves == "FfBe");
  CHECK(game.end == env::EndReason::kTarget);
  CHECK(game.captured == env::FinalScore{24, 50});
  CHECK(game.score == env::FinalScore{32, 64});
  CHECK(env::parse_game("F repetition 3-4 23.5-24.5").score == env::FinalScore{47, 49});
}

TEST_CASE("a game may end as OpenSpiel says or by a reason's name") {
  const auto end = [](const std::string& word) {
    return env::parse_game("F " + word + " 0-0 0-0").end;
  };
  CHECK(end("cannot_feed") == env::EndReason::kNoMoves);
  for (const auto reason :
       {env::EndReason::kNone, env::EndReason::kTarget, env::EndReason::kNoMoves,
        env::EndReason::kRepetition, env::EndReason::kPlyLimit}) {
    CHECK(end(to_string(reason)) == reason);
  }
}

TEST_CASE("a malformed game is refused with the field") {
  CHECK(contains(game_error("FfBe majority 12-25"), "found 3"));
  CHECK(contains(game_error("FfBe checkmate 0-0 0-0"),
                 "how it ended: expected one of target, no_moves, repetition, ply_limit, none, "
                 "majority, cannot_feed, found 'checkmate'"));
  CHECK(contains(game_error("F majority 12 16-32"), "captured: expected South-North"));
  CHECK(contains(game_error("F majority 12-25 16-33"), "final score: "));
  CHECK(contains(game_error("F majority 12-25 49-0"), "final score: "));
  CHECK(contains(game_error("F majority 12-25 16-3x"), "found '16-3x'"));
  CHECK(contains(game_error("F majority 12-25 +16-32"), "found '+16-32'"));
  CHECK(contains(error_of(ErrorKind::kPosition, [] { env::parse_game("FF majority 0-0 0-0"); }),
                 "ply 2: expected one of a b c d e f, found 'F'"));
}

TEST_CASE("recorded perft counts begin at depth 1") {
  const auto perft = env::parse_perft(kStart + " 6/0/0 36/1/2");
  CHECK(to_text(perft.board) == kStart);
  REQUIRE(perft.counts.size() == 2);
  CHECK(perft.counts[1].leaves == 36);
  CHECK(perft.counts[1].ended_here == 1);
  CHECK(perft.counts[1].ended_earlier == 2);
}

TEST_CASE("malformed perft counts are refused with the depth") {
  CHECK(contains(perft_error(kStart), "at least one depth"));
  for (const std::string count : {"36", "36/0", "36/0/0/0", "36/0/x", "-36/0/0", "36//0", "/0/0",
                                  "99999999999999999999/0/0"}) {
    INFO(count);
    CHECK(perft_error(kStart + " 6/0/0 " + count) ==
          "depth 2: expected leaves/ended here/ended earlier, found '" + count + "'");
  }
}

TEST_CASE("comments, empty lines and what Windows adds are no records") {
  CHECK(records("# head\nFf\n\n  \n\t# more\nAa\n") == "2:Ff 6:Aa ");
  CHECK(records("Ff\nAa") == "1:Ff 2:Aa ");
  CHECK(records("\xef\xbb\xbf# head\r\nFf\r\n\r\nAa\r") == "2:Ff 4:Aa ");
}

TEST_CASE("a file without records is refused") {
  CHECK(file_error("") == "file.txt: expected a record a line, found none");
  CHECK(contains(file_error("# only a comment\n\n"), "found none"));
}

TEST_CASE("a line longer than any record is refused, not read into memory") {
  CHECK(records(std::string(100000, 'x')).size() == 100003);
  CHECK(file_error("Ff\n" + std::string(100001, 'x')) ==
        "file.txt:2: expected at most 100000 characters a line");
  CHECK(contains(file_error(std::string(300000, '\0')), "file.txt:1: expected at most"));
  CHECK(file_error(std::string("Ff\nA\0a\n", 7)) == "file.txt:2: expected text, found a 0 byte");
}

TEST_CASE("an error tells the line and is itself one line of text") {
  CHECK(refused("found 'x'") == "file.txt:2: found 'x'");
  CHECK(refused("\x1b[2J\n\xff") == "file.txt:2: \\x1b[2J\\x0a\\xff");
  const std::string shortened = refused("position '" + std::string(5000, 'x') + "': found 1");
  CHECK(shortened.size() < 350);
  CHECK(contains(shortened, "position 'xxx"));
  CHECK(contains(shortened, "xxx[...]xxx"));
  CHECK(contains(shortened, "xxx': found 1"));
}

}  // namespace awale::test
