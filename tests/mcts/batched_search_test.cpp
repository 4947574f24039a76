#include "mcts/batched_search.hpp"
#include <algorithm>
#include <limits>
#include <numeric>

#include "nn/hash_evaluator.hpp"
#include "tests/mcts/configs.hpp"
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

std::vector<mcts::SearchResult> run(mcts::BatchedSearch& search,
                                    const std::vector<mcts::SearchRoot>& roots,
                                    nn::Evaluator& evaluator) {
  std::vector<mcts::SearchResult> results(roots.size());
  search.run(roots, evaluator, results);
  return results;
}

TEST_CASE("a game's result does not depend on the games beside it or on their order") {
  for (auto config : {noisy(gumbel(50)), noisy(puct(50)), gumbel(50), puct(50)}) {
    config.leaves = config.noisy() ? 1 : 4;
    const auto rules = env::preset(config.noisy() ? "abapa" : "codingame");
    const auto games = random_games(rules, 60, 11);
    auto roots = roots_of(games);
    roots[7].simulations = 3;
    nn::HashEvaluator evaluator;
    mcts::BatchedSearch search(rules, config, 5);
    const auto together = run(search, roots, evaluator);

    std::reverse(roots.begin(), roots.end());
    const auto reversed = run(search, roots, evaluator);
    for (std::size_t i = 0; i < roots.size(); ++i) {
      CHECK(same_result(reversed[i], together[roots.size() - 1 - i]));
    }
    for (std::size_t i = 0; i < roots.size(); ++i) {
      mcts::BatchedSearch alone(rules, config, 5);
      CHECK(same_result(run(alone, {roots[i]}, evaluator)[0], reversed[i]));
    }
  }
}

TEST_CASE("a search object can be used again with fewer and with more games") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 12);
  const auto roots = roots_of(games);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy(gumbel(30)), 5);
  const auto expected = run(search, roots, evaluator);
  for (const std::size_t count : {3U, 0U, 20U, 1U}) {
    const auto results = run(search, {roots.begin(), roots.begin() + count}, evaluator);
    for (std::size_t i = 0; i < count; ++i)
      CHECK(same_result(results[i], expected[i]));
  }
}

void check_counts(const mcts::Tree& tree) {
  for (int i = 0; i < tree.size(); ++i) {
    const auto& node = tree[static_cast<mcts::NodeIndex>(i)];
    CHECK(node.pending == std::array<std::uint8_t, env::kMoves>{});
    CHECK(std::accumulate(node.visits.begin(), node.visits.end(), 0) == node.total_visits);
    for (int move = 0; move < env::kMoves; ++move) {
      const auto child = node.children[move];
      CHECK((child != mcts::kNoChild) == (node.visits[move] > 0));
      // Its own evaluation, and what ended in it once it was settled.
      if (child == mcts::kNoChild) continue;
      CHECK(node.visits[move] >= tree[child].total_visits + 1);
      if (!tree[child].settled()) CHECK(node.visits[move] == tree[child].total_visits + 1);
    }
  }
}

TEST_CASE("every root gets exactly the simulations asked for, on legal moves only") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 80, 13);
  auto roots = roots_of(games);
  for (std::size_t i = 0; i < roots.size(); i += 2)
    roots[i].simulations = 1 + static_cast<int>(i) % 30;
  nn::HashEvaluator evaluator;
  for (auto config : {noisy(gumbel(37)), noisy(puct(37))}) {
    for (const int leaves : {1, 3, 64}) {
      config.leaves = leaves;
      mcts::BatchedSearch search(rules, config, 5);
      const auto results = run(search, roots, evaluator);
      for (std::size_t i = 0; i < games.size(); ++i) {
        INFO(describe(config) << ", game " << i);
        const auto asked = roots[i].simulations > 0 ? roots[i].simulations : 37;
        const auto& result = results[i];
        CHECK(std::accumulate(result.visits.begin(), result.visits.end(), 0) == asked);
        CHECK(result.legal == games[i].legal());
        CHECK(std::accumulate(result.policy.begin(), result.policy.end(), 0.0) == Approx(1));
        CHECK((result.legal >> result.best & 1) == 1);
        CHECK(result.visits[result.best] > 0);
        for (int move = 0; move < env::kMoves; ++move) {
          if ((result.legal >> move & 1) == 0) CHECK(result.visits[move] == 0);
          if ((result.legal >> move & 1) == 0) CHECK(result.policy[move] == 0);
          if (result.visits[move] == 0) CHECK(result.values[move] == 0);
        }
        check_counts(search.tree(static_cast<int>(i)));
      }
    }
  }
}

TEST_CASE("the root value is the mean of what the simulations brought back") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 14);
  nn::HashEvaluator evaluator;
  auto config = puct(64);
  config.solve = false;
  mcts::BatchedSearch search(rules, config, 5);
  for (const auto& result : run(search, roots_of(games), evaluator)) {
    double sum = 0;
    for (int move = 0; move < env::kMoves; ++move) {
      sum += double{result.values[move]} * result.visits[move];
    }
    CHECK(result.root_value == Approx(sum / 64).margin(1e-5));
    for (int move = 0; move < env::kMoves; ++move)
      CHECK(result.policy[move] == static_cast<float>(result.visits[move]) / 64);
  }
}

TEST_CASE("endings cost no row, and a tree that meets one still fills its row of the batch") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 50, 15);
  RecordingEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy(gumbel(100)), 5);
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
  mcts::BatchedSearch search(rules, noisy(gumbel(25)), 5);
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
  mcts::BatchedSearch search(rules, noisy(gumbel(80)), 5);
  const auto results = run(search, roots_of(games), evaluator);
  std::size_t longest = 0;
  for (int i = 0; i < 20; ++i) {
    const auto line = search.principal_variation(i, 100);
    REQUIRE(!line.empty());
    CHECK(line[0] == results[i].best);
    env::Game game = games[i];
    for (const env::Move move : line)
      game.play(move);  // throws if illegal or over
    CHECK(search.principal_variation(i, 1) == std::vector<env::Move>{line[0]});
    longest = std::max(longest, line.size());
  }
  CHECK(longest >= 4);
}

TEST_CASE("a sharpness out of its range is refused by name") {
  for (const float sharpness : {-1.0F, 41.0F, std::numeric_limits<float>::quiet_NaN()}) {
    mcts::SearchConfig config;
    config.backup_sharpness = sharpness;
    const auto message = error_of(ErrorKind::kUsage, [&] { config.validate(); });
    CHECK(contains(message, "backup_sharpness"));
  }
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
