// Whole searches with the cache and without: a wrong key, a stale entry or a row in the wrong place
// would change the trees.
#include <sstream>

#include "mcts/batched_search.hpp"
#include "nn/cached_evaluator.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

std::string text_of(const mcts::Tree& tree) {
  std::ostringstream text;
  text << tree;
  return text.str();
}

TEST_CASE("a search with a cache, large or tiny, is the search without") {
  constexpr std::uint64_t kSeed = 5;
  constexpr int kGames = 40;
  mcts::SearchConfig config;
  config.simulations = 60;
  config.noise_weight = 0.25F;
  nn::HashEvaluator plain;
  nn::CachedEvaluator large(std::make_unique<nn::HashEvaluator>(), 1 << 16);
  nn::CachedEvaluator tiny(std::make_unique<nn::HashEvaluator>(), 16);
  for (const auto& name : env::preset_names()) {
    const auto rules = env::preset(name);
    const auto games = random_games(rules, kGames, 61);
    const auto roots = roots_of(games);
    mcts::BatchedSearch expected(rules, config, kSeed);
    std::vector<mcts::SearchResult> results(roots.size());
    expected.run(roots, plain, results);
    for (nn::CachedEvaluator* cached : {&large, &tiny, &large}) {
      mcts::BatchedSearch search(rules, config, kSeed);
      std::vector<mcts::SearchResult> found(roots.size());
      search.run(roots, *cached, found);
      for (int game = 0; game < kGames; ++game) {
        INFO(name << ", game " << game << ", " << cached->name());
        REQUIRE(same_result(found[game], results[game]));
        REQUIRE(text_of(search.tree(game)) == text_of(expected.tree(game)));
      }
    }
  }
  CHECK(large.stats().cache_hits > 10 * tiny.stats().cache_hits);
}

}  // namespace
}  // namespace awale::test
