#include "env/reference_check.hpp"

#include "env/notation.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

// "what: expected E, found F" of each mismatch, a line each.
std::string text(const std::vector<env::Mismatch>& mismatches) {
  std::string all;
  for (const auto& [what, expected, found] : mismatches)
    all += what + ": expected " + expected + ", found " + found + "\n";
  return all;
}

std::string check_ply(const std::string& line, const std::string& preset = "abapa") {
  return text(env::check(env::preset(preset), env::parse_ply(line)));
}

std::string check_game(const std::string& line, const std::string& preset = "abapa") {
  return text(env::check(env::preset(preset), env::parse_game(line)));
}

std::string check_perft(const std::string& line, const std::string& preset = "abapa") {
  return text(env::check(env::preset(preset), env::parse_perft(line)));
}

const std::string kPly = "1-1-1-0-7-7-1-2-4-8-4-10-0-2-N 63 c 0-1-1-0-7-7-1-2-0-9-5-11-0-4-S";
const std::string kGame =
    "AdBfDdFfBcCbCdDcEcCeEfAdEeFdAaEfCaAeBcFbBdEfBcCeBfAdEeCfBbAcCdBeDdBbEcCeAf";

}  // namespace

TEST_CASE("a ply that agrees has no mismatch") {
  CHECK(check_ply(kPly).empty());
}

TEST_CASE("legal moves, move and next position of a ply are told apart") {
  std::string line = kPly;
  line.replace(line.find("63"), 2, "59");
  CHECK(check_ply(line) == "legal moves: expected a b d e f, found a b c d e f\n");
  line = kPly;
  line.replace(line.find("5-11-0-4-S"), 10, "6-10-0-4-S");
  CHECK(check_ply(line) ==
        "next position: expected 0-1-1-0-7-7-1-2-0-9-6-10-0-4-S, found "
        "0-1-1-0-7-7-1-2-0-9-5-11-0-4-S\n");
  // An empty pit that the record calls legal.
  CHECK(check_ply("0-5-5-5-5-4-4-4-4-4-4-4-0-0-S 63 A 0-5-5-5-5-4-4-4-4-4-4-4-0-0-N") ==
        "legal moves: expected A B C D E F, found B C D E F\nmove: expected A, found illegal\n");
  CHECK(check_ply("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S 0 A 0-5-5-5-5-4-4-4-4-4-4-4-0-0-N") ==
        "legal moves: expected none, found A B C D E F\n");
}

TEST_CASE("a ply is checked by the rules that are given") {
  // A grand slam, which only abapa allows.
  const std::string line = "0-0-0-0-1-1-1-0-0-0-0-0-22-23-S 48 F 0-0-0-0-1-0-2-0-0-0-0-0-22-23-N";
  CHECK(check_ply(line).empty());
  CHECK(check_ply(line, "valencian") ==
        "legal moves: expected E F, found E\nmove: expected F, found illegal\n");
}

TEST_CASE("end, stores and score of a game are told apart") {
  CHECK(check_game(kGame + " majority 12-25 22-26").empty());
  CHECK(check_game(kGame + " target 12-25 22-26").empty());
  CHECK(check_game(kGame + " repetition 12-25 22-26") ==
        "how it ended: expected repetition, found target\n");
  CHECK(check_game(kGame + " majority 13-25 22-26") == "captured: expected 13-25, found 12-25\n");
  CHECK(check_game(kGame + " majority 12-25 23-25") ==
        "final score: expected 23-25, found 22-26\n");
  CHECK(check_game(kGame + " majority 12-25 22-26", "codingame") ==
        "final score: expected 22-26, found 12-25\n");
}

TEST_CASE("a game that goes on ends with none and its stores") {
  CHECK(check_game("FfBeBc none 0-0 0-0").empty());
  CHECK(check_game("FfBeBc majority 0-0 0-0") == "how it ended: expected target, found none\n");
}

TEST_CASE("an illegal move is a mismatch that names its ply") {
  CHECK(check_game("AaA none 0-0 0-0") ==
        "moves: expected 3 legal plies, found ply 3 at 0-5-5-5-5-4-0-5-5-5-5-4-0-0-S: illegal move "
        "A, legal are B C D E F\n");
  const std::string longer = check_game(kGame + "Aa majority 12-25 22-26");
  CHECK(longer.find("the game is over (target)") != std::string::npos);
}

TEST_CASE("each of the three counts of a depth is compared") {
  const std::string position = "0-0-2-2-0-2-0-0-2-0-2-2-15-21-N ";
  CHECK(check_perft(position + "3/0/0 12/0/0 33/1/0 123/0/1").empty());
  CHECK(check_perft(position + "3/0/0 12/0/0 34/1/0 123/1/2") ==
        "leaves: expected 34 at depth 3, found 33 at depth 3\n"
        "ended here: expected 1 at depth 4, found 0 at depth 4\n"
        "ended earlier: expected 2 at depth 4, found 1 at depth 4\n");
}

}  // namespace awale::test
