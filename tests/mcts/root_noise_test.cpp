#include <algorithm>
#include <cmath>
#include <numeric>

#include "mcts/batched_search.hpp"
#include "mcts/puct.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Row = std::array<float, env::kMoves>;

env::RandomStream noise_stream(std::uint64_t game, std::uint32_t ply = 0) {
  return {1, env::RandomPurpose::kRootNoise, game, ply};
}

double sum(const Row& row) {
  return std::accumulate(row.begin(), row.end(), 0.0);
}

mcts::SearchConfig noisy_config() {
  mcts::SearchConfig config;
  config.algorithm = mcts::Algorithm::kPuct;
  config.simulations = 40;
  config.noise_weight = 0.25F;
  return config;
}

// The root's priors with noise in them, as the tree holds them after a search.
Row noisy_priors(const mcts::SearchRoot& root, std::uint64_t seed, const env::RuleSet& rules) {
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(), seed);
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  return search.tree(0).root().priors;
}

TEST_CASE("noise stays on the legal moves and leaves a distribution") {
  for (const env::LegalMask legal : {0b000001, 0b100000, 0b101010, 0b111111}) {
    Row priors = mcts::masked_softmax({1, 2, 3, 4, 5, 6}, legal);
    const Row before = priors;
    auto stream = noise_stream(legal);
    mcts::add_dirichlet_noise(priors, legal, 0.25F, 10, stream);
    CHECK(sum(priors) == Approx(1));
    for (int move = 0; move < env::kMoves; ++move) {
      const bool is_legal = (legal >> move & 1) != 0;
      CHECK((priors[move] > 0) == is_legal);
      CHECK(priors[move] >= 0.75F * before[move]);
      CHECK(priors[move] <= Approx(0.75F * before[move] + 0.25F));
    }
  }
}

TEST_CASE("noise is drawn for the legal moves alone, in their order") {
  const auto noise_of = [](env::LegalMask legal) {
    Row noise = {};
    auto stream = noise_stream(5);
    mcts::add_dirichlet_noise(noise, legal, 1.0F, 10, stream);
    return noise;
  };
  const Row low = noise_of(0b000111);
  CHECK(noise_of(0b101010) == Row{0, low[0], 0, low[1], 0, low[2]});
  CHECK(noise_of(0b110001) == Row{low[0], 0, 0, 0, low[1], low[2]});
}

TEST_CASE("noise has the mean and the variance of the Dirichlet distribution") {
  const int draws = 20000;
  const double total = 10;
  const double share = 1.0 / 4;
  double mean = 0;
  double square = 0;
  for (int i = 0; i < draws; ++i) {
    Row noise = {};
    auto stream = noise_stream(static_cast<std::uint64_t>(i));
    mcts::add_dirichlet_noise(noise, 0b011110, 1.0F, static_cast<float>(total), stream);
    mean += noise[3] / draws;
    square += noise[3] * noise[3] / draws;
  }
  CHECK(mean == Approx(share).margin(0.005));
  // Share and total concentration give the variance share * (1 - share) / (total + 1).
  CHECK(square - mean * mean == Approx(share * (1 - share) / (total + 1)).epsilon(0.05));
}

TEST_CASE("noise of a tiny concentration falls on one move and is finite") {
  for (std::uint64_t game = 0; game < 200; ++game) {
    Row noise = {};
    auto stream = noise_stream(game);
    mcts::add_dirichlet_noise(noise, 0b111111, 1.0F, 1e-6F, stream);
    CHECK(sum(noise) == Approx(1));
    CHECK(*std::max_element(noise.begin(), noise.end()) > 0.99F);
  }
}

TEST_CASE("noise changes the root's priors only, and the result reports them without it") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 30, 5);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(), 7);
  std::vector<mcts::SearchResult> results(games.size());
  search.run(roots_of(games), evaluator, results);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const mcts::Tree& tree = search.tree(static_cast<int>(i));
    for (int node = 0; node < tree.size(); ++node) {
      const mcts::Node& inner = tree[static_cast<mcts::NodeIndex>(node)];
      if (inner.terminal()) continue;
      nn::Evaluation evaluation;
      const auto position = tree.position(inner);
      evaluator.evaluate(rules, {&position, 1}, {&evaluation, 1});
      const Row clean = mcts::masked_softmax(evaluation.policy_logits, inner.legal);
      const bool single_move = (inner.legal & (inner.legal - 1)) == 0;
      CHECK((inner.priors == clean) == (node != mcts::kRoot || single_move));
      if (node == mcts::kRoot) CHECK(results[i].priors == clean);
    }
  }
}

TEST_CASE("noise depends on run seed, game id and ply, and on nothing else") {
  const auto rules = env::preset("abapa");
  const std::vector<env::Game> games(1, env::Game(rules));
  auto root = roots_of(games)[0];
  const Row noise = noisy_priors(root, 7, rules);
  CHECK(noisy_priors(root, 7, rules) == noise);
  CHECK(noisy_priors(root, 8, rules) != noise);
  root.game_id = 1;
  CHECK(noisy_priors(root, 7, rules) != noise);
  root.game_id = 0;
  root.position.ply = 1;
  const Row later = noisy_priors(root, 7, rules);
  // The hash evaluator reads the ply too: compare the noise itself.
  const auto noise_of = [&](const Row& priors) {
    nn::HashEvaluator evaluator;
    nn::Evaluation evaluation;
    evaluator.evaluate(rules, {&root.position, 1}, {&evaluation, 1});
    return (priors[0] - 0.75F * mcts::masked_softmax(evaluation.policy_logits, 0b111111)[0]) /
           0.25F;
  };
  const float later_noise = noise_of(later);
  root.position.ply = 0;
  CHECK(std::fabs(noise_of(noise) - later_noise) > 1e-4F);
}

TEST_CASE("every game of a batch has noise of its own") {
  const auto rules = env::preset("abapa");
  const std::vector<env::Game> games(8, env::Game(rules));
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy_config(), 7);
  std::vector<mcts::SearchResult> results(games.size());
  search.run(roots_of(games), evaluator, results);
  for (int i = 1; i < 8; ++i) {
    CHECK(search.tree(i).root().priors != search.tree(0).root().priors);
  }
}

TEST_CASE("with weight 0 there is no noise, whatever the seed") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 10, 6);
  nn::HashEvaluator evaluator;
  mcts::SearchConfig config = noisy_config();
  config.noise_weight = 0;
  mcts::BatchedSearch search(rules, config, 7);
  mcts::BatchedSearch other_seed(rules, config, 8);
  std::vector<mcts::SearchResult> results(games.size());
  std::vector<mcts::SearchResult> others(games.size());
  search.run(roots_of(games), evaluator, results);
  other_seed.run(roots_of(games), evaluator, others);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK(same_result(results[i], others[i]));
    CHECK(search.tree(static_cast<int>(i)).root().priors == results[i].priors);
  }
}

}  // namespace
}  // namespace awale::test
