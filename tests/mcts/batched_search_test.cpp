#include "mcts/batched_search.hpp"

#include <algorithm>
#include <numeric>

#include "mcts/root_policy.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

// The hash evaluator, with a record of what it was asked.
class RecordingEvaluator final : public nn::Evaluator {
 public:
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<nn::Evaluation> evaluations) override {
    batches.push_back(positions.size());
    for (const auto& position : positions) {
      const auto legal = env::legal_moves(rules, position.board);
      terminal_rows += env::end_reason(rules, position.board, legal, position.repetitions + 1,
                                       position.ply) == env::EndReason::kNone
                           ? 0
                           : 1;
    }
    hash_.evaluate(rules, positions, evaluations);
  }
  std::string name() const override { return "recording"; }

  std::vector<std::size_t> batches;
  int terminal_rows = 0;

 private:
  nn::HashEvaluator hash_;
};

mcts::SearchConfig noisy_config(int simulations) {
  mcts::SearchConfig config;
  config.simulations = simulations;
  config.noise_weight = 0.25F;
  return config;
}

std::vector<mcts::SearchResult> run(mcts::BatchedSearch& search,
                                    const std::vector<mcts::SearchRoot>& roots,
                                    nn::Evaluator& evaluator) {
  std::vector<mcts::SearchResult> results(roots.size());
  search.run(roots, evaluator, results);
  return results;
}

TEST_CASE("a game's result does not depend on the games beside it or on their order") {
  for (const auto* name : {"abapa", "codingame"}) {
    const auto rules = env::preset(name);
    const auto games = random_games(rules, 60, 11);
    auto roots = roots_of(games);
    nn::HashEvaluator evaluator;
    mcts::BatchedSearch search(rules, noisy_config(50), 5);
    const auto together = run(search, roots, evaluator);

    std::reverse(roots.begin(), roots.end());
    const auto reversed = run(search, roots, evaluator);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      CHECK(same_result(reversed[i], together[roots.size() - 1 - i]));
    }
    for (std::size_t i = 0; i < roots.size(); ++i) {
      mcts::BatchedSearch alone(rules, noisy_config(50), 5);
      CHECK(same_result(run(alone, {roots[i]}, evaluator)[0], reversed[i]));
    }
  }
}

TEST_CASE("a search object can be used again with fewer and with more games") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 12);
  const auto roots = roots_of(games);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(30), 5);
  const auto expected = run(search, roots, evaluator);
  for (const std::size_t count : {3U, 0U, 20U, 1U}) {
    const auto results = run(search, {roots.begin(), roots.begin() + count}, evaluator);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(same_result(results[i], expected[i]));
  }
}

TEST_CASE("every root gets exactly the simulations asked for, on legal moves only") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 80, 13);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(37), 5);
  const auto results = run(search, roots_of(games), evaluator);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(std::accumulate(results[i].visits.begin(), results[i].visits.end(), 0U) == 37);
    CHECK(results[i].legal == games[i].legal());
    for (int move = 0; move < env::kMoves; ++move) {
      if ((results[i].legal >> move & 1) == 0) CHECK(results[i].visits[move] == 0);
      if (results[i].visits[move] == 0) CHECK(results[i].values[move] == 0);
    }
  }
}

TEST_CASE("the root value is the mean of what the simulations brought back") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 14);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(64), 5);
  for (const auto& result : run(search, roots_of(games), evaluator)) {
    double sum = 0;
    for (int move = 0; move < env::kMoves; ++move) {
      sum += double{result.values[move]} * result.visits[move];
    }
    CHECK(result.root_value == Approx(sum / 64).margin(1e-5));
  }
}

TEST_CASE("endings cost no row, and a tree that meets one still fills its row of the batch") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 50, 15);
  RecordingEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(100), 5);
  run(search, roots_of(games), evaluator);
  std::size_t expected_rows = 0;
  std::size_t most_rows_of_a_tree = 0;
  int endings = 0;
  for (int i = 0; i < 50; ++i) {
    const auto& tree = search.tree(i);
    std::size_t rows = 0;
    for (int node = 0; node < tree.size(); ++node) {
      rows += tree[static_cast<mcts::NodeIndex>(node)].terminal() ? 0 : 1;
    }
    endings += tree.size() - static_cast<int>(rows);
    expected_rows += rows;
    most_rows_of_a_tree = std::max(most_rows_of_a_tree, rows);
  }
  REQUIRE(endings > 30);
  CHECK(evaluator.terminal_rows == 0);
  CHECK(std::accumulate(evaluator.batches.begin(), evaluator.batches.end(), std::size_t{0}) ==
        expected_rows);
  // Nobody waits for a tree that has met an ending: as many batches as the busiest tree has rows,
  // and none is larger than the one before.
  CHECK(evaluator.batches.size() == most_rows_of_a_tree);
  CHECK(std::is_sorted(evaluator.batches.rbegin(), evaluator.batches.rend()));
}

TEST_CASE("statistics add up over all runs") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 12, 16);
  RecordingEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(25), 5);
  CHECK(search.stats().simulations == 0);
  run(search, roots_of(games), evaluator);
  run(search, roots_of(games), evaluator);
  CHECK(search.stats().simulations == 2U * 12 * 25);
  CHECK(search.stats().evaluations ==
        std::accumulate(evaluator.batches.begin(), evaluator.batches.end(), std::size_t{0}));
  CHECK(search.stats().evaluator_seconds > 0);
}

TEST_CASE("the principal variation follows the most visited moves to the end of the tree") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 17);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(80), 5);
  const auto results = run(search, roots_of(games), evaluator);
  std::size_t longest = 0;
  for (int i = 0; i < 20; ++i) {
    const auto line = search.principal_variation(i, 100);
    REQUIRE(!line.empty());
    CHECK(line[0] == mcts::best_move(results[i]));
    env::Game game = games[i];
    for (const env::Move move : line)
      game.play(move);  // throws if illegal or over
    CHECK(search.principal_variation(i, 1) == std::vector<env::Move>{line[0]});
    longest = std::max(longest, line.size());
  }
  CHECK(longest >= 4);
}

TEST_CASE("invalid settings are refused by name") {
  mcts::SearchConfig config;
  config.simulations = 0;
  const auto message = error_of(ErrorKind::kUsage, [&] {
    const mcts::BatchedSearch search(env::preset("abapa"), config, 1);
  });
  CHECK(contains(message, "search.simulations"));
}

}  // namespace
}  // namespace awale::test
