// Move sequences counted by env and by the naive rules, and against published and recorded numbers.
#include "env/perft.hpp"

#include "env/notation.hpp"
#include "tests/env/naive_rules.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

env::PerftCount naive_perft(const naive::Game& game, int depth) {
  const bool over = game.reason() != "none";
  if (depth == 0) return {1, over ? 1U : 0U, 0};
  if (over) return {0, 0, 1};
  env::PerftCount sum;
  for (const char letter : game.legal()) {
    naive::Game next = game;
    next.play(letter);
    const env::PerftCount below = naive_perft(next, depth - 1);
    sum.leaves += below.leaves;
    sum.ended_here += below.ended_here;
    sum.ended_earlier += below.ended_earlier;
  }
  return sum;
}

std::string text(const env::PerftCount& count) {
  return std::to_string(count.leaves) + "/" + std::to_string(count.ended_here) + "/" +
         std::to_string(count.ended_earlier);
}

}  // namespace

TEST_CASE("perft from the start gives the reference numbers") {
  const std::vector<std::uint64_t> two_three = {6, 36, 190, 1014, 5219, 27332, 139157};
  // An emptied pit that gets one seed is captured again, so there is less to move from ply 3 on.
  const std::vector<std::uint64_t> one_two = {6, 36, 186, 973, 4795, 23913, 115705};
  for (const auto& name : env::preset_names()) {
    INFO(name);
    const env::RuleSet rules = env::preset(name);
    const bool ones = rules.capture_counts == env::CaptureCounts::kOneTwo;
    for (int depth = 1; depth <= 7; ++depth) {
      const auto count = perft(rules, env::initial_board(), depth);
      CHECK(count.leaves == (ones ? one_two : two_three)[depth - 1]);
    }
  }
}

TEST_CASE("the naive rules count the same from the start") {
  const std::string name = GENERATE(from_range(env::preset_names()));
  INFO(name);
  const env::RuleSet rules = env::preset(name);
  const naive::Game start(rules, to_text(env::initial_board()));
  CHECK(text(naive_perft(start, 7)) == text(perft(rules, env::initial_board(), 7)));
}

TEST_CASE("the naive rules count the same where games end") {
  const char* positions[] = {"0-0-2-2-0-2-0-0-2-0-2-2-15-21-N", "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
                             "0-0-0-0-1-2-1-1-0-0-0-1-21-21-S", "1-0-0-1-1-4-0-0-1-3-0-0-13-24-S",
                             "2-1-1-1-0-1-0-0-1-0-2-1-19-19-N"};
  for (const auto& name : env::preset_names()) {
    const env::RuleSet rules = env::preset(name);
    for (const char* position : positions) {
      INFO(name << " " << position);
      const env::Board board = env::parse_board(position);
      for (int depth = 1; depth <= 6; ++depth) {
        CHECK(text(perft(rules, board, depth)) ==
              text(naive_perft(naive::Game(rules, position), depth)));
      }
    }
  }
}

TEST_CASE("perft counts a repetition and the ply limit as endings") {
  const env::Board circle = env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
  env::RuleSet rules;
  CHECK(text(perft(rules, circle, 12)) == text(naive_perft({rules, to_text(circle)}, 12)));
  CHECK(perft(rules, circle, 12).ended_here > 0);
  rules.ply_limit = 3;
  CHECK(text(perft(rules, env::initial_board(), 3)) == "190/190/0");
  CHECK(text(perft(rules, env::initial_board(), 4)) == "0/0/190");
}

TEST_CASE("perft_divide splits the leaves over the legal moves") {
  const env::RuleSet rules;
  const auto parts = perft_divide(rules, env::initial_board(), 6);
  REQUIRE(parts.size() == 6);
  std::uint64_t sum = 0;
  for (const auto& [move, leaves] : parts) {
    env::Board next = env::initial_board();
    play(rules, next, move);
    CHECK(leaves == perft(rules, next, 5).leaves);
    sum += leaves;
  }
  CHECK(sum == 27332);
  const env::Board over = env::parse_board("1-1-0-0-0-0-0-0-0-0-0-0-23-23-S");
  CHECK(perft_divide(rules, over, 2).empty());
}

}  // namespace awale::test
