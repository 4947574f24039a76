#include "tests/support/allocations.hpp"

#include <algorithm>

#include "mcts/batched_search.hpp"
#include "nn/cached_evaluator.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

TEST_CASE("after the first run a search allocates nothing") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 64, 21);
  const auto roots = roots_of(games);
  std::vector<mcts::SearchResult> results(roots.size());
  nn::HashEvaluator evaluator;
  mcts::SearchConfig config;
  config.simulations = 64;
  config.noise_weight = 0.25F;
  mcts::BatchedSearch search(rules, config, 5);
  const auto before_first = allocations();
  search.run(roots, evaluator, results);
  const auto before_second = allocations();
  REQUIRE(before_second > before_first);
  search.run(roots, evaluator, results);
  search.run({roots.data(), 10}, evaluator, {results.data(), 10});
  search.run(roots, evaluator, results);
  CHECK(allocations() == before_second);
}

TEST_CASE("after its largest batch a cached evaluator allocates nothing") {
  const auto rules = env::preset("abapa");
  nn::CachedEvaluator evaluator(std::make_unique<nn::HashEvaluator>(), 1000);
  std::vector<env::Position> positions;
  for (const auto& game : random_games(rules, 512, 22))
    positions.push_back(game.position());
  std::vector<nn::Evaluation> evaluations(positions.size());
  // The first batch knows half of its rows, so it has fewer misses than later ones.
  std::copy_n(positions.begin() + 256, 256, positions.begin());
  evaluator.evaluate(rules, positions, evaluations);
  const auto before = allocations();
  for (std::uint8_t store = 1; store < 20; ++store) {
    for (env::Position& position : positions)
      position.board.store_opponent = store;
    evaluator.evaluate(rules, positions, evaluations);
    evaluator.evaluate(rules, std::span(positions).first(10), std::span(evaluations).first(10));
  }
  CHECK(evaluator.stats().cache_hits > 0);
  CHECK(allocations() == before);
}

}  // namespace
}  // namespace awale::test
