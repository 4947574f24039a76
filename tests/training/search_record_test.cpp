#include "training/search_record.hpp"

#include <cmath>

#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/small_run.hpp"
#include "training/self_play.hpp"
#include "training/trajectory_check.hpp"

using namespace awale;
using namespace awale::training;

namespace {

mcts::SearchResult some_result() {
  mcts::SearchResult result;
  result.legal = 0b000111;
  result.visits = {3, 1, 0};
  result.policy = {0.75F, 0.25F, 0};
  result.priors = {0.5F, 0.4999999F, 1e-7F};
  result.values = {1.0F, -0.5F, 0.3F};
  result.root_value = 0.25F;
  result.root_margin_seeds = 3;
  result.solved = true;
  result.network.win_draw_loss = {0.5F, 0.2F, 0.3F};
  result.network.margin_seeds = 2;
  return result;
}

}  // namespace

TEST_CASE("a search is recorded in the units of the record") {
  PlyRecord ply;
  ply.flags = kSampledMove | kTableValue | kFastSearch;
  record_search(some_result(), 0, true, ply);
  CHECK(ply.flags == (kSampledMove | kSolvedPly));
  CHECK(ply.policy == std::array<std::uint16_t, 6>{49151, 16384});
  CHECK(ply.prior == std::array<std::uint16_t, 6>{32768, 32767, 1});     // legal: never 0
  CHECK(ply.move_values == std::array<std::int16_t, 6>{32767, -16384});  // move 2 has no visits
  CHECK(ply.root_value == 0.25F);
  CHECK(ply.root_margin_seeds == 3);
  CHECK(ply.network_value == Approx(0.2));
  CHECK(ply.network_margin_seeds == 2);
  CHECK(ply.network_draw == 13107);
}

TEST_CASE("a fast search leaves no policy target, but all else") {
  PlyRecord ply;
  record_search(some_result(), 0, false, ply);
  CHECK(ply.flags == (kFastSearch | kSolvedPly));
  CHECK(ply.policy == std::array<std::uint16_t, 6>{});
  CHECK(ply.prior[0] == 32768);
  CHECK(ply.visits[0] == 3);
}

// The slow way: the network asked again about every searched position, softmax over legal moves.
TEST_CASE("self-play records the network's own view of each searched position") {
  const auto config = tests::small_run();
  SelfPlay self_play(
      {config.self_play, {config.rules}, config.search, config.run.seed, UINT64_MAX});
  nn::HashEvaluator network;
  int searched = 0;
  for (std::uint32_t iteration = 1; iteration <= 3; ++iteration) {
    const auto make = [] { return std::make_unique<nn::HashEvaluator>(); };
    for (const auto& game : self_play.advance(iteration, 1, make)) {
      REQUIRE(find_inconsistency(config.rules, game) == std::nullopt);
      for (const auto& ply : game.plies) {
        if ((ply.flags & kUnsearchedPly) != 0) continue;
        ++searched;
        nn::Evaluation said;
        network.evaluate(config.rules, {&ply.position, 1}, {&said, 1});
        double sum = 0;
        for (env::Move move = 0; move < env::kMoves; ++move) {
          if ((ply.legal >> move & 1) != 0) sum += std::exp(said.policy_logits[move]);
        }
        for (env::Move move = 0; move < env::kMoves; ++move) {
          const bool legal = (ply.legal >> move & 1) != 0;
          const double prior = legal ? std::exp(said.policy_logits[move]) / sum : 0;
          REQUIRE(std::abs(ply.prior[move] - prior * 65535) <= 1);
        }
        REQUIRE(std::abs(ply.network_draw - said.win_draw_loss[1] * 65535) <= 1);
        REQUIRE(ply.network_value ==
                Approx(said.win_draw_loss[0] - said.win_draw_loss[2]).margin(1e-6));
      }
    }
  }
  CHECK(searched > 100);
}
