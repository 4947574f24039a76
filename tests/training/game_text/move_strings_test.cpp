#include "training/game_text/move_strings.hpp"

#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;

namespace {

std::vector<PlayedGame> read_moves(const std::string& text, const env::RuleSet& rules = {}) {
  return read_move_strings(text, "'games.txt'", rules);
}

std::string moves_refusal(const std::string& text) {
  return error_of(ErrorKind::kPosition, [&] { read_moves(text); });
}

constexpr const char* kStudy = "0-0-0-0-0-2-0-0-0-0-0-2-21-23-S";

}  // namespace

TEST_CASE("a line of moves is a game; blank lines and comments are none") {
  const auto games = read_moves("# two games\n\nFfBeBc\r\n  Aa  \n");
  REQUIRE(games.size() == 2);
  CHECK(games[0].moves == "FfBeBc");
  CHECK(games[0].start == env::initial_board());
  CHECK_FALSE(finished(games[0]));
  CHECK(games[1].moves == "Aa");
}

TEST_CASE("a game may begin anywhere, and without a move") {
  const auto games = read_moves(std::string(kStudy) + " moves FfAaBbCcDdEe\n" + kStudy + "\n");
  REQUIRE(games.size() == 2);
  CHECK(env::to_text(games[0].start) == kStudy);
  CHECK(games[0].outcome.reason == env::EndReason::kRepetition);
  CHECK(games[0].outcome.margin_south_seeds == -2);
  CHECK(games[1].moves.empty());
  CHECK_FALSE(finished(games[1]));
}

TEST_CASE("the rules decide whether a game has ended") {
  const std::string line = std::string(kStudy) + " moves FfAaBbCcDdEe\n";
  CHECK(finished(read_moves(line)[0]));
  CHECK_FALSE(finished(read_moves(line, env::preset("codingame"))[0]));
}

TEST_CASE("what is written reads back") {
  const std::string text =
      "FfBeBc\n" + std::string(kStudy) + " moves FfAa\n4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n";
  CHECK(write_move_strings(read_moves(text)) == text);
}

TEST_CASE("bad lines are refused by line and ply") {
  CHECK(contains(moves_refusal("Ff\nFA\n"),
                 "'games.txt', line 2: ply 2: expected one of a b c d e f"));
  CHECK(contains(moves_refusal("AaAb"),
                 "'games.txt', line 1: ply 3 at 0-5-5-5-5-4-0-5-5-5-5-4-0-0-S"));
  CHECK(contains(moves_refusal("AaAb"), "illegal move A, legal are B C D E F"));
  CHECK(contains(moves_refusal("F\xC3\xA9"), R"(found '\xc3')"));
  CHECK(contains(moves_refusal("\xC3\xA9 F"), R"(the first '\xc3\xa9')"));
  CHECK(contains(moves_refusal("\xC3\xA9-4"), R"(position '\xc3\xa9-4')"));
  CHECK(contains(moves_refusal("Ff Be"), "expected MOVES or POSITION moves MOVES, found 2 words"));
  CHECK(
      contains(moves_refusal("\n4-4-4 moves Ff"), "line 2: position '4-4-4': expected 15 fields"));
  CHECK(contains(moves_refusal(std::string(kStudy) + " plays Ff"), "POSITION moves MOVES"));
  CHECK(contains(moves_refusal(std::string(kStudy) + " moves FfAaBbCcDdEeA"), "the game is over"));
}
