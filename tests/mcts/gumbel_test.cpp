// The formulas of mcts/gumbel.hpp: against published numbers, against naive ones on random nodes,
// and what a search must never do with them.
#include "mcts/gumbel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>

#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/naive_gumbel.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Row = std::array<float, env::kMoves>;
using Visits = std::vector<std::uint16_t>;

std::vector<bool> as_bools(env::LegalMask mask) {
  std::vector<bool> result;
  for (int move = 0; move < env::kMoves; ++move)
    result.push_back((mask >> move & 1) != 0);
  return result;
}

// A node with any legal moves, some of them visited, some with simulations on their way.
mcts::Node random_node(env::RandomStream& stream) {
  mcts::Node node;
  node.legal = static_cast<env::LegalMask>(1 + stream.below(63));
  node.utility = static_cast<float>(stream.uniform() * 2 - 1);
  float total = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if ((node.legal >> move & 1) == 0) continue;
    node.priors[move] = static_cast<float>(0.001 + stream.uniform());
    total += node.priors[move];
    if (stream.below(3) > 0) node.visits[move] = static_cast<std::uint16_t>(stream.below(40));
    node.pending[move] = static_cast<std::uint8_t>(stream.below(3));
    const double mean = stream.uniform() * 0.4 - 0.2;
    node.value_sums[move] = static_cast<float>(mean) * node.visits[move];
    node.total_visits = static_cast<std::uint16_t>(node.total_visits + node.visits[move]);
  }
  for (float& prior : node.priors)
    prior /= total;
  return node;
}

GumbelNode view_of(const mcts::Node& node) {
  GumbelNode view;
  view.raw_value = node.utility;
  for (int move = 0; move < env::kMoves; ++move) {
    view.priors.push_back(node.priors[move]);
    view.visits.push_back(node.visits[move]);
    view.pending.push_back(node.pending[move]);
    view.values.push_back(node.visits[move] > 0 ? node.value_sums[move] / node.visits[move] : 0);
  }
  return view;
}

// The visit counts of mctx/_src/tests/seq_halving_test.py (google-deepmind/mctx). With nothing to
// consider mctx counts up as with one move; here one move is the least.
TEST_CASE("sequential halving gives the reference implementation's visit counts") {
  CHECK(mcts::considered_visits(8, 24) ==
        Visits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6});
  Visits expected = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3};
  for (std::uint16_t visits = 4; visits <= 16; ++visits)
    expected.insert(expected.end(), 2, visits);
  expected.push_back(17);
  CHECK(mcts::considered_visits(8, 47) == expected);
  CHECK(mcts::considered_visits(8, 2) == Visits{0, 0});
  CHECK(mcts::considered_visits(8, 13) == Visits{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2});
  CHECK(mcts::considered_visits(7, 24) ==
        Visits{0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8});
  Visits counting(16);
  std::iota(counting.begin(), counting.end(), std::uint16_t{0});
  CHECK(mcts::considered_visits(1, 16) == counting);
}

TEST_CASE("sequential halving equals the naive one for all numbers of moves and simulations") {
  for (int considered = 1; considered <= 6; ++considered) {
    for (int simulations = 1; simulations <= 300; ++simulations) {
      const auto sequence = mcts::considered_visits(considered, simulations);
      REQUIRE(sequence.size() == static_cast<std::size_t>(simulations));
      for (int i = 0; i < simulations; ++i) {
        REQUIRE(sequence[static_cast<std::size_t>(i)] == due_visits(considered, simulations, i));
      }
    }
  }
}

// test_gumbel_muzero_policy of mctx/_src/tests/policies_test.py: priors of logits -1 and 2, the
// other two moves invalid, values 3 and -1, raw value -5, 9 and 8 of 17 visits, maxvisit_init 60,
// value_scale 0.05. There the values are stretched to [0,1], so that their completed values there
// are 1 and 0; here they are given as such.
TEST_CASE("the improved policy is the reference implementation's") {
  mcts::SearchConfig config;
  config.c_visit = 60;
  config.c_scale = 0.05F;
  mcts::Node node;
  node.legal = 0b000110;
  const float first = std::exp(-1.0F) / (std::exp(-1.0F) + std::exp(2.0F));
  node.priors = {0, first, 1 - first, 0, 0, 0};
  node.visits = {0, 9, 8, 0, 0, 0};
  node.value_sums = {0, 9, 0, 0, 0, 0};
  node.total_visits = 17;
  const double bonus = (60 + 9) * 0.05;
  const double weights[2] = {std::exp(-1 + bonus), std::exp(2.0)};
  const Row policy = mcts::improved_policy(node, config);
  CHECK(policy[1] == Approx(weights[0] / (weights[0] + weights[1])).margin(1e-6));
  CHECK(policy[2] == Approx(weights[1] / (weights[0] + weights[1])).margin(1e-6));
  CHECK(policy[0] + policy[3] + policy[4] + policy[5] == 0.0F);
}

// test_mix_value of mctx/_src/tests/qtransforms_test.py.
TEST_CASE("the mixed value is the reference implementation's, moves without visits left out") {
  const float first = std::exp(-1.0F) / (std::exp(-1.0F) + std::exp(2.0F));
  const float q[2] = {10.0F / 54 * 3, 10.0F / 54 * -1};
  const float mixed = mcts::mixed_value(-0.8F, mcts::load(Row{9, q[0], q[1], 9, 0, 0}),
                                        mcts::load(Row{0, first, 1 - first, 0, 0, 0}),
                                        mcts::load(Row{0, 4, 4, 0, 0, 0}), 8);
  CHECK(mixed == Approx((-0.8F + 8 * (first * q[0] + (1 - first) * q[1])) / 9));
  CHECK(mcts::mixed_value(0.3F, mcts::Lanes{}, mcts::Lanes{}, mcts::Lanes{}, 0) == 0.3F);
  // A prior that has underflowed to 0.
  CHECK(mcts::mixed_value(0.0F, mcts::load(Row{0.5F, 0, 0, 0, 0, 0}), mcts::Lanes{},
                          mcts::load(Row{3, 0, 0, 0, 0, 0}), 3) == Approx(0.375));
}

TEST_CASE("the formulas equal the naive ones on random nodes") {
  const auto exponential = [](float x) { return std::exp(x); };
  int different = 0;
  for (std::uint64_t id = 0; id < 3000; ++id) {
    env::RandomStream stream(61, env::RandomPurpose::kTest, id, 0);
    const mcts::Node node = random_node(stream);
    mcts::SearchConfig config;
    config.leaves = 4;
    config.c_visit = static_cast<float>(stream.below(100));
    config.c_scale = static_cast<float>(0.05 + stream.uniform());
    const GumbelNode view = view_of(node);
    const Numbers values = completed(view);
    config.visit_cap = static_cast<float>(stream.below(200));
    config.interior_exploration = static_cast<float>(stream.uniform());
    const Numbers weighted =
        bonus(view, values, {config.c_visit, config.c_scale, config.visit_cap});
    const Numbers policy = improved(view, weighted, exponential);
    const Row found_values =
        mcts::store(mcts::completed_values(node, mcts::load_counts(node.visits), config));
    const Row found_policy = mcts::improved_policy(node, config);
    for (int move = 0; move < env::kMoves; ++move) {
      if ((node.legal >> move & 1) == 0) continue;
      CHECK(found_values[move] == values[move]);
      CHECK(found_policy[move] == Approx(policy[move]).epsilon(1e-5).margin(1e-30));
    }
    const int chosen = mcts::select_gumbel(node, config);
    REQUIRE((node.legal >> chosen & 1) == 1);
    different += chosen == most_wanting(view, explored(view, policy, config.interior_exploration),
                                        as_bools(node.legal))
                     ? 0
                     : 1;
    mcts::RootSearch root;
    root.config = &config;
    root.logits = {1, 0.5F, 0, -0.5F, 0.25F, 2};
    for (int move = 0; move < env::kMoves; ++move)
      root.earlier_visits[move] = static_cast<std::uint16_t>(stream.below(1U + node.visits[move]));
    const auto begun = [&](int move) {
      return node.visits[move] + node.pending[move] - root.earlier_visits[move];
    };
    const int due = begun(chosen);
    auto candidates = as_bools(node.legal);
    Numbers scores;
    for (int move = 0; move < env::kMoves; ++move) {
      candidates[move] = candidates[move] && begun(move) == due;
      scores.push_back(root.logits[move] + weighted[move]);
    }
    CHECK(int{mcts::select_gumbel_root(node, root, due)} == best_of(scores, candidates));
  }
  CHECK(different <= 2);  // scores that are equal but for rounding
}

TEST_CASE("where all values are equal the improved policy is the prior: nothing is stretched") {
  for (std::uint64_t id = 0; id < 300; ++id) {
    env::RandomStream stream(62, env::RandomPurpose::kTest, id, 0);
    mcts::Node node = random_node(stream);
    for (int move = 0; move < env::kMoves; ++move)
      node.value_sums[move] = node.utility * node.visits[move];
    Row policy = mcts::improved_policy(node, gumbel(64));
    for (int move = 0; move < env::kMoves; ++move)
      CHECK(policy[move] == Approx(node.priors[move]).epsilon(1e-4));
    // Noise of the size of rounding stays that small.
    for (int move = 0; move < env::kMoves; ++move)
      node.value_sums[move] *= static_cast<float>(1 + 1e-6 * stream.uniform());
    policy = mcts::improved_policy(node, gumbel(64));
    for (int move = 0; move < env::kMoves; ++move)
      CHECK(policy[move] == Approx(node.priors[move]).epsilon(1e-3));
  }
}

TEST_CASE("below the root visits come in the proportions of the improved policy") {
  mcts::Node node;
  node.legal = 0b010011;
  node.priors = {0.6F, 0.3F, 0, 0, 0.1F, 0};
  const auto visits_of_a_hundred = [node](float exploration) {
    mcts::SearchConfig config = gumbel(64);
    config.interior_exploration = exploration;
    mcts::Node copy = node;
    for (int i = 0; i < 100; ++i) {
      ++copy.visits[mcts::select_gumbel(copy, config)];
      ++copy.total_visits;
    }
    return copy.visits;
  };
  using Shares = std::array<std::uint16_t, env::kMoves>;
  CHECK(visits_of_a_hundred(0) == Shares{60, 30, 0, 0, 10, 0});
  // A share of 0.3 is a tenth for each of the three moves.
  CHECK(visits_of_a_hundred(0.3F) == Shares{52, 31, 0, 0, 17, 0});
}

TEST_CASE("Gumbel noise is drawn for legal moves only, has its scale and is none at 0") {
  mcts::Node root;
  root.legal = 0b101001;
  root.priors = {0.5F, 0, 0, 0.25F, 0, 0.25F};
  const auto logits = [&](float scale, std::uint32_t ply) {
    auto config = gumbel(64);
    config.gumbel_noise = scale;
    env::RandomStream stream(1, env::RandomPurpose::kRootNoise, 3, ply);
    return mcts::root_logits(root, config, stream);
  };
  const Row clean = logits(0, 0);
  CHECK(clean == Row{std::log(0.5F), 0, 0, std::log(0.25F), 0, std::log(0.25F)});
  double mean = 0;
  double square = 0;
  for (std::uint32_t ply = 0; ply < 20000; ++ply) {
    const Row row = logits(2, ply);
    REQUIRE(row[1] == 0.0F);
    REQUIRE(row[2] == 0.0F);
    REQUIRE(row[4] == 0.0F);
    const double noise = row[3] - clean[3];
    mean += noise / 20000;
    square += noise * noise / 20000;
  }
  // Euler's constant and pi^2 / 6, times the scale and its square.
  CHECK(mean == Approx(2 * 0.5772).margin(0.05));
  CHECK(square - mean * mean == Approx(4 * 1.6449).epsilon(0.05));
}

mcts::SearchResult search_one(const mcts::SearchConfig& config, const env::Game& game,
                              nn::Evaluator& evaluator) {
  mcts::BatchedSearch search(game.rules(), config, 1);
  const mcts::SearchRoot root{game.position(), game.history(), 1};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  return result;
}

TEST_CASE("Gumbel noise is fresh in every game and at every ply, and none without noise") {
  nn::UniformEvaluator evaluator;
  auto config = noisy(gumbel(2));
  config.considered_moves = 1;
  const env::Game game(env::preset("abapa"));
  const auto first_tried = [&](std::uint64_t id, std::uint16_t ply, bool noise) {
    mcts::BatchedSearch search(game.rules(), config, 1);
    mcts::SearchRoot root{game.position(), game.history(), id, 0, noise};
    root.position.ply = ply;
    mcts::SearchResult result;
    search.run({&root, 1}, evaluator, {&result, 1});
    return result.best;
  };
  std::set<env::Move> games;
  std::set<env::Move> plies;
  for (std::uint16_t i = 0; i < 200; ++i) {
    games.insert(first_tried(i, 0, true));
    plies.insert(first_tried(0, i, true));
    CHECK(first_tried(i, i, false) == 0);
  }
  CHECK(games.size() == 6);
  CHECK(plies.size() == 6);
  CHECK(first_tried(5, 7, true) == first_tried(5, 7, true));
}

TEST_CASE("no more moves are considered than are legal, and no illegal one is visited") {
  nn::HashEvaluator evaluator;
  for (const int considered : {1, 2, 3, 6}) {
    auto config = noisy(gumbel(20));
    config.considered_moves = considered;
    for (const auto& game : random_games(env::preset("abapa"), 60, 63)) {
      const auto result = search_one(config, game, evaluator);
      const int legal = std::popcount(unsigned{game.legal()});
      int visited = 0;
      for (int move = 0; move < env::kMoves; ++move) {
        visited += result.visits[move] > 0 ? 1 : 0;
        if ((game.legal() >> move & 1) == 0) CHECK(result.visits[move] == 0);
      }
      CHECK(visited == std::min(considered, legal));
    }
  }
}

TEST_CASE("the move played is the best score of the most visited, not the first of them") {
  // Six simulations of six moves: each is visited once, so the counts say nothing.
  nn::HashEvaluator evaluator;
  int not_first = 0;
  const auto config = noisy(gumbel(6));
  for (std::uint64_t id = 0; id < 50; ++id) {
    const env::Game game(env::preset("abapa"));
    mcts::BatchedSearch search(game.rules(), config, 1);
    const mcts::SearchRoot root{game.position(), game.history(), id};
    mcts::SearchResult result;
    search.run({&root, 1}, evaluator, {&result, 1});
    CHECK(result.visits == std::array<std::uint32_t, env::kMoves>{1, 1, 1, 1, 1, 1});
    env::RandomStream stream(1, env::RandomPurpose::kRootNoise, id, 0);
    const auto logits = mcts::root_logits(search.tree(0).root(), config, stream);
    Numbers scores;
    for (int move = 0; move < env::kMoves; ++move)
      scores.push_back(logits[move] + (50 + 1) * 0.5F * result.values[move]);
    CHECK(int{result.best} == best_of(scores, std::vector<bool>(6, true)));
    not_first += result.best != 0 ? 1 : 0;
  }
  CHECK(not_first > 20);
}

}  // namespace
}  // namespace awale::test
