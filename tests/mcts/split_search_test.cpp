// One game's search on threads: to the last bit what the batched search finds, on any number.
#include "mcts/split_search.hpp"

#include "env/rules.hpp"
#include "mcts/halving.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/nn/counting_evaluator.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using Evaluators = std::vector<std::unique_ptr<nn::Evaluator>>;

Evaluators hash_evaluators(int threads) {
  Evaluators evaluators;
  for (int thread = 0; thread < threads; ++thread)
    evaluators.push_back(std::make_unique<nn::HashEvaluator>());
  return evaluators;
}

struct Split {
  Split(const env::RuleSet& rules, const mcts::SearchConfig& config, int threads)
      : evaluators(hash_evaluators(threads)), search(rules, config, 5, threads) {}

  mcts::SearchResult run(const mcts::SearchRoot& root) { return search.run(root, evaluators); }

  Evaluators evaluators;
  mcts::SplitSearch search;
};

// How many of the games were solved or had some move's margin bounded.
struct Seen {
  int solved = 0;
  int bounded = 0;
};

Seen check_equal(const env::RuleSet& rules, const mcts::SearchConfig& config, int games_count,
                 int threads) {
  INFO(describe(config) << ", " << config.considered_moves << " considered, " << threads
                        << " threads");
  const auto games = random_games(rules, games_count, 31);
  const auto roots = roots_of(games);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch batched(rules, config, 5);
  std::vector<mcts::SearchResult> expected(roots.size());
  batched.run(roots, evaluator, expected);
  Split split(rules, config, threads);
  Seen seen;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    INFO("game " << i);
    REQUIRE(same_result(split.run(roots[i]), expected[i]));
    REQUIRE(split.search.principal_variation(12) ==
            batched.principal_variation(static_cast<int>(i), 12));
    seen.solved += expected[i].solved ? 1 : 0;
    seen.bounded += (batched.tree(static_cast<int>(i)).root().flags & mcts::Node::kBounded) != 0;
  }
  CHECK(split.search.stats().simulations == roots.size() * std::size_t(config.simulations));
  return seen;
}

TEST_CASE("a split search finds what the batched search finds, to the last bit") {
  Seen seen;
  int turn = 0;
  for (const auto& preset : env::preset_names()) {
    for (const int simulations : {1, 2, 5, 7, 16, 23, 64, 100, 400}) {
      for (const bool noise : {false, true}) {
        for (const bool solve : {true, false}) {
          auto config = noise ? noisy(gumbel(simulations)) : gumbel(simulations);
          config.solve = solve;
          config.considered_moves = 1 + turn % 6;
          const int threads = 1 + turn++ % mcts::SplitSearch::kMostThreads;
          const auto one =
              check_equal(env::preset(preset), config, simulations >= 100 ? 12 : 40, threads);
          seen.solved += one.solved;
          seen.bounded += one.bounded;
        }
      }
    }
  }
  CHECK(seen.solved > 100);
  CHECK(seen.bounded > seen.solved);
}

// There the values that an evaluator makes up are often outside of what the stores allow, so that
// it matters in the middle of a pass when the first bound is found.
TEST_CASE("a split search equals the batched search where bounds change the choice of moves") {
  for (const int simulations : {5, 7, 16, 48}) {
    auto config = noisy(gumbel(simulations));
    config.margin_weight = 0.9F;
    config.c_scale = 0.02F;
    const auto seen = check_equal(env::preset("abapa"), config, 500, 2);
    CHECK(seen.bounded > seen.solved);
  }
}

TEST_CASE("each number of considered moves and of threads gives the batched search's result") {
  for (int considered = 1; considered <= env::kMoves; ++considered) {
    for (int threads = 1; threads <= mcts::SplitSearch::kMostThreads; ++threads) {
      auto config = noisy(gumbel(40));
      config.considered_moves = considered;
      check_equal(env::preset("abapa"), config, 60, threads);
    }
  }
}

TEST_CASE("with several leaves the result does not depend on the number of threads") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 60, 32);
  for (const int leaves : {2, 4, 8}) {
    auto config = gumbel(200);
    config.leaves = leaves;
    Split one(rules, config, 1);
    Split two(rules, config, 2);
    Split many(rules, config, 6);
    for (const auto& root : roots_of(games)) {
      const auto expected = one.run(root);
      REQUIRE(same_result(two.run(root), expected));
      REQUIRE(same_result(many.run(root), expected));
      REQUIRE(two.search.principal_variation(20) == one.search.principal_variation(20));
    }
  }
}

TEST_CASE("roots choose their simulations and whether there is noise") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 30, 33);
  auto roots = roots_of(games);
  const auto config = noisy(gumbel(60));
  Split split(rules, config, 2);
  mcts::BatchedSearch batched(rules, config, 5);
  nn::HashEvaluator evaluator;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    roots[i].simulations = static_cast<int>(i * 2);
    roots[i].noise = i % 3 != 0;
    mcts::SearchResult expected;
    batched.run(std::span(&roots[i], 1), evaluator, std::span(&expected, 1));
    CHECK(same_result(split.run(roots[i]), expected));
  }
}

TEST_CASE("a thread's trees share its batches") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  Split split(rules, gumbel(600), 1);
  split.run({game.position(), game.history()});
  const auto stats = split.search.stats();
  CHECK(stats.evaluations > 500);
  CHECK(stats.batches < stats.evaluations / 2);
}

TEST_CASE("what an evaluator throws on any thread ends the split search, which can go on after") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  const mcts::SearchRoot root{game.position(), game.history()};
  mcts::SplitSearch search(rules, gumbel(100), 5, 3);
  const auto expected = search.run(root, hash_evaluators(3));
  for (std::size_t broken = 0; broken < 3; ++broken) {
    auto evaluators = hash_evaluators(3);
    evaluators[broken] = std::make_unique<CountingEvaluator>("broken");
    CHECK_THROWS_WITH(search.run(root, evaluators), "broken");
    CHECK(same_result(search.run(root, hash_evaluators(3)), expected));
  }
}

TEST_CASE("a split search of a config that is not valid is refused") {
  CHECK_THROWS_AS(mcts::SplitSearch(env::RuleSet{}, gumbel(0), 5, 2), InputError);
}

TEST_CASE("after the first run a split search allocates nothing") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 34);
  const auto roots = roots_of(games);
  auto config = noisy(gumbel(64));
  for (const int leaves : {1, 4}) {
    config.leaves = leaves;
    Split split(rules, config, 2);
    for (const auto& root : roots)
      split.run(root);
    const auto before = allocations();
    for (const auto& root : roots)
      split.run(root);
    CHECK(allocations() == before);
  }
}

TEST_CASE("phases of sequential halving are its visits in groups") {
  using Phases = std::vector<mcts::HalvingPhase>;
  CHECK(mcts::halving_phases(6, 4) == Phases{{4, 0, 1}});
  CHECK(mcts::halving_phases(1, 5) == Phases{{1, 0, 5}});
  CHECK(mcts::halving_phases(6, 64) == Phases{{6, 0, 3}, {3, 3, 7}, {2, 10, 12}, {1, 22, 1}});
  for (int moves = 1; moves <= env::kMoves; ++moves) {
    for (int simulations = 1; simulations <= 300; ++simulations) {
      int sum = 0;
      int visits = 0;
      for (const auto& phase : mcts::halving_phases(moves, simulations)) {
        REQUIRE(phase.visits_before == visits);
        sum += phase.moves * phase.visits;
        visits += phase.visits;
      }
      REQUIRE(sum == simulations);
    }
  }
}

}  // namespace
}  // namespace awale::test
