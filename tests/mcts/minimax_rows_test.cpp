// The packed board of the minimax search against the board of env/.
#include "mcts/baseline/rows.hpp"

#include "env/game.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "mcts/baseline/alpha_beta.hpp"
#include "mcts/baseline/evaluation.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using env::Board;
using env::Move;
using env::RuleSet;
using mcts::CaptureRules;
using mcts::Rows;

// Few or many seeds, thrown into the pits; some pits are full enough for two laps.
Board random_board(env::RandomStream& random) {
  Board board;
  int seeds = 1 + static_cast<int>(random.below(env::kSeeds));
  board.store_to_move = static_cast<std::uint8_t>(random.below(1 + (env::kSeeds - seeds)));
  board.store_opponent = static_cast<std::uint8_t>(env::kSeeds - seeds - board.store_to_move);
  while (seeds > 0) {
    const int together = 1 + static_cast<int>(random.below(random.below(4) == 0 ? 30 : 3));
    const int some = std::min(seeds, together);
    auto& pit = board.pits[random.below(env::kPits)];
    pit = static_cast<std::uint8_t>(pit + some);
    seeds -= some;
  }
  return board;
}

std::vector<RuleSet> all_rules() {
  std::vector<RuleSet> all;
  for (const auto slam : {env::GrandSlam::kNoCapture, env::GrandSlam::kIllegalUnlessOnly,
                          env::GrandSlam::kCapture, env::GrandSlam::kIllegal}) {
    for (const auto counts : {env::CaptureCounts::kTwoThree, env::CaptureCounts::kOneTwo}) {
      for (const bool must_feed : {true, false}) {
        RuleSet rules;
        rules.grand_slam = slam;
        rules.capture_counts = counts;
        rules.must_feed = must_feed;
        all.push_back(rules);
      }
    }
  }
  return all;
}

mcts::Terms terms(const char* position) {
  const Board board = env::parse_board(position, env::SeedCount::kStudy);
  return mcts::terms_of(CaptureRules(RuleSet{}), mcts::packed_rows(board));
}

}  // namespace

TEST_CASE("packed boards move, capture and know their legal moves as boards do") {
  for (const RuleSet& rules : all_rules()) {
    const CaptureRules captures(rules);
    const mcts::SearchRules search_rules(rules);
    for (std::uint64_t id = 0; id < 3000; ++id) {
      env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
      const Board board = random_board(random);
      const Rows rows = mcts::packed_rows(board);
      INFO(describe(rules) << " " << board);
      REQUIRE(to_board(rows, board.to_move) == board);
      REQUIRE(search_rules.legal_moves(rows) == env::legal_moves(rules, board));
      const mcts::MoveWords all = captures_of(captures, rows);
      for (Move move = 0; move < env::kMoves; ++move) {
        INFO("move " << int{move});
        if (board.pits[move] == 0) {
          REQUIRE(all[move] == 0);
          continue;
        }
        Board next = board;
        const int captured = env::play(rules, next, move);
        const mcts::Successor successor = mcts::play(captures, rows, move);
        REQUIRE(successor.captured == captured);
        REQUIRE(all[move] == static_cast<std::uint64_t>(captured));
        REQUIRE(to_board(successor.rows, next.to_move) == next);
      }
    }
  }
}

TEST_CASE("in a calm position all moves are legal and only the target ends the game") {
  int calm = 0;
  for (RuleSet rules : all_rules()) {
    if (rules.grand_slam == env::GrandSlam::kIllegal) continue;  // a search takes no shortcut there
    rules.target_seeds = 0;
    const mcts::SearchRules search_rules(rules);
    for (std::uint64_t id = 0; id < 3000; ++id) {
      env::RandomStream random(1, env::RandomPurpose::kTest, id, 0);
      const Board board = random_board(random);
      if (!search_rules.calm(mcts::packed_rows(board))) continue;
      ++calm;
      for (Move move = 0; move < env::kMoves; ++move) {
        if (board.pits[move] == 0) continue;
        INFO(describe(rules) << " " << board << " move " << int{move});
        REQUIRE((env::legal_moves(rules, board) >> move & 1) == 1);
        Board next = board;
        env::play(rules, next, move);
        REQUIRE(env::legal_moves(rules, next) != 0);
      }
    }
  }
  CHECK(calm > 10000);
}

TEST_CASE("the terms of the tuned evaluation") {
  using mcts::Terms;
  CHECK(terms("4-4-4-4-4-4-4-4-4-4-4-4-0-0-S") == Terms{0, 0, 0, 0, 0, 0, 0, 0, 1});
  // South: 1 + 2 + 13 + 1 = 17 in four pits, ones A and F, a two B, a big pit C; F takes a (2).
  // North: 1 + 5 = 6 in two pits, a one a; b, with 5 seeds, ends on A and takes 2 there.
  CHECK(terms("1-2-13-0-0-1-1-5-0-0-0-0-10-15-S") == Terms{-5, 11, 2, 1, 1, 1, 2, 2, 1});
}

}  // namespace awale::test
