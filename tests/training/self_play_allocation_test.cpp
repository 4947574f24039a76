#include "nn/cached_evaluator.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "training/self_play.hpp"

namespace awale::test {
namespace {

// What a group allocates in ten plies in which no game ends, after ten plies to warm up.
std::size_t allocations_of_ten_plies(const mcts::SearchConfig& search, double full_search_share) {
  training::SelfPlaySetup setup;
  setup.rules = {env::preset("abapa")};
  setup.search = search;
  setup.config.games = setup.config.group_games = 64;
  setup.config.random_opening_share = 0;
  setup.config.full_search_share = full_search_share;
  setup.config.fast_simulations = 4;
  training::SelfPlayGroup group(setup, 0);
  nn::CachedEvaluator evaluator(std::make_unique<nn::HashEvaluator>(), 4096);
  std::vector<training::GameRecord> finished;
  group.advance(10, 1, search.simulations, evaluator, finished);
  const std::size_t before = allocations();
  group.advance(10, 1, search.simulations, evaluator, finished);
  const std::size_t made = allocations() - before;
  REQUIRE(finished.empty());
  return made;
}

TEST_CASE("self-play allocates nothing between the first ply of a game and its end") {
  mcts::SearchConfig search;
  search.simulations = 30;
  search.gumbel_noise = 1;
  search.noise_weight = 0.25F;
  search.forced_playouts = 2;
  for (const auto algorithm : {mcts::Algorithm::kGumbel, mcts::Algorithm::kPuct}) {
    search.algorithm = algorithm;
    CHECK(allocations_of_ten_plies(search, 1.0) == 0);
    CHECK(allocations_of_ten_plies(search, 0.5) == 0);
  }
}

}  // namespace
}  // namespace awale::test
