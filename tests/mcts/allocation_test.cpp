#include <algorithm>

#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

TEST_CASE("after the first run a search allocates nothing") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 64, 21);
  auto roots = roots_of(games);
  for (std::size_t i = 0; i < roots.size(); i += 3)
    roots[i].simulations = 10;
  std::vector<mcts::SearchResult> results(roots.size());
  nn::HashEvaluator evaluator;
  for (auto config : {noisy(puct(64)), noisy(gumbel(64)), puct(64), gumbel(64)}) {
    for (const int leaves : {1, 4}) {
      config.leaves = leaves;
      INFO(describe(config));
      mcts::BatchedSearch search(rules, config, 5);
      const auto before_first = allocations();
      search.run(roots, evaluator, results);
      const auto before_second = allocations();
      REQUIRE(before_second > before_first);
      search.run(roots, evaluator, results);
      search.run({roots.data(), 10}, evaluator, {results.data(), 10});
      search.run(roots, evaluator, results);
      std::reverse(roots.begin(), roots.end());
      search.run(roots, evaluator, results);
      std::reverse(roots.begin(), roots.end());
      const auto after = allocations();
      CHECK(after == before_second);
    }
  }
}

}  // namespace
}  // namespace awale::test
