#include "tests/support/allocations.hpp"

#include "mcts/batched_search.hpp"
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

}  // namespace
}  // namespace awale::test
