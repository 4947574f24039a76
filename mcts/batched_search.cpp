#include "mcts/batched_search.hpp"

#include <algorithm>
#include <chrono>

#include "env/error.hpp"
#include "mcts/puct.hpp"
#include "mcts/root_policy.hpp"
#include "mcts/simulation.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {
namespace {

// The statistics of a node's edges as a result reports them.
SearchResult edge_statistics(const Node& node) {
  SearchResult result;
  result.legal = node.legal;
  float value_sum = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    const int visits = node.visits[move];
    const auto divisor = static_cast<float>(std::max(visits, 1));
    result.visits[move] = static_cast<std::uint32_t>(visits);
    result.values[move] = node.value_sums[move] / divisor;
    result.margins_seeds[move] = node.margin_sums_seeds[move] / divisor;
    value_sum += node.value_sums[move];
  }
  result.root_value = value_sum / static_cast<float>(std::max<int>(node.total_visits, 1));
  return result;
}

}  // namespace

struct BatchedSearch::Impl {
  Impl(const env::RuleSet& search_rules, const SearchConfig& search_config,
       std::uint64_t search_seed)
      : rules(search_rules), config(search_config), seed(search_seed) {}

  // A row of the current batch and where its evaluation goes.
  struct Leaf {
    int tree;
    NodeIndex node;
  };

  void start(std::span<const SearchRoot> roots);
  void evaluate(nn::Evaluator& evaluator);
  void expand_roots(std::span<const SearchRoot> roots, std::span<SearchResult> results);
  void step();
  void simulate_to_leaf(int index);
  void add_row(int tree, NodeIndex node);
  void write_results(std::span<SearchResult> results) const;

  env::RuleSet rules;
  SearchConfig config;
  std::uint64_t seed;
  SearchStats stats;
  std::vector<Tree> trees;  // one a game, more where an earlier run had more games
  int games = 0;            // N of the last run

  // The batch of one lock step, kept to avoid allocation: [B].
  std::vector<Leaf> leaves;
  std::vector<Leaf> evaluated;
  std::vector<env::Position> positions;
  std::vector<nn::Evaluation> evaluations;
};

void BatchedSearch::Impl::start(std::span<const SearchRoot> roots) {
  games = static_cast<int>(roots.size());
  while (trees.size() < roots.size())
    trees.emplace_back(config.simulations + 1);
  leaves.clear();
  positions.clear();
  for (int i = 0; i < games; ++i) {
    const auto& [position, history, game_id] = roots[i];
    const env::LegalMask legal = env::legal_moves(rules, position.board);
    const auto reason =
        env::end_reason(rules, position.board, legal, position.repetitions + 1, position.ply);
    AWALE_CHECK(reason == env::EndReason::kNone, "game " << game_id << " is over ("
                                                         << env::to_string(reason) << ") at "
                                                         << position.board);
    trees[i].reset(position, history, legal);
    add_row(i, kRoot);
  }
}

void BatchedSearch::Impl::evaluate(nn::Evaluator& evaluator) {
  evaluations.resize(positions.size());
  const auto begin = std::chrono::steady_clock::now();
  evaluator.evaluate(rules, positions, evaluations);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  stats.evaluations += positions.size();
  stats.evaluator_seconds += elapsed.count();
}

void BatchedSearch::Impl::expand_roots(std::span<const SearchRoot> roots,
                                       std::span<SearchResult> results) {
  leaves.clear();
  positions.clear();
  for (int i = 0; i < games; ++i) {
    Node& root = trees[i].root();
    expand(root, evaluations[i], config.margin_weight);
    results[i].network = evaluations[i];
    results[i].priors = root.priors;
    if (config.noise_weight > 0) {
      env::RandomStream stream(seed, env::RandomPurpose::kRootNoise, roots[i].game_id,
                               roots[i].position.ply);
      add_dirichlet_noise(root.priors, root.legal, config.noise_weight, config.noise_total, stream);
    }
    simulate_to_leaf(i);
  }
}

// Finishes the simulation of every row just evaluated and at once starts the tree's next one, while
// its nodes are still in the cache.
void BatchedSearch::Impl::step() {
  std::swap(leaves, evaluated);
  leaves.clear();
  positions.clear();
  for (std::size_t row = 0; row < evaluated.size(); ++row) {
    const auto [index, leaf] = evaluated[row];
    Tree& tree = trees[index];
    const float value = expand(tree[leaf], evaluations[row], config.margin_weight);
    tree.back_up(leaf, value, evaluations[row].margin_seeds);
    simulate_to_leaf(index);
  }
}

// Simulations that end where the game is over need no network: they are finished at once and the
// tree goes on, so that it still fills its row of the batch.
void BatchedSearch::Impl::simulate_to_leaf(int index) {
  Tree& tree = trees[index];
  while (tree.root().total_visits < config.simulations) {
    const NodeIndex leaf = select_leaf(tree, rules, config);
    const Node& node = tree[leaf];
    if (!node.terminal()) return add_row(index, leaf);
    const int margin = node.final_margin_seeds;
    tree.back_up(leaf, terminal_utility(margin, config.margin_weight), static_cast<float>(margin));
  }
}

void BatchedSearch::Impl::add_row(int tree, NodeIndex node) {
  leaves.push_back({tree, node});
  positions.push_back(trees[tree].position(trees[tree][node]));
}

void BatchedSearch::Impl::write_results(std::span<SearchResult> results) const {
  for (int i = 0; i < games; ++i) {
    SearchResult result = edge_statistics(trees[i].root());
    result.priors = results[i].priors;
    result.network = results[i].network;
    results[i] = result;
  }
}

BatchedSearch::BatchedSearch(const env::RuleSet& rules, const SearchConfig& config,
                             std::uint64_t seed)
    : impl_(std::make_unique<Impl>(rules, config, seed)) {
  config.validate();
}

BatchedSearch::~BatchedSearch() = default;

void BatchedSearch::run(std::span<const SearchRoot> roots, nn::Evaluator& evaluator,
                        std::span<SearchResult> results) {
  AWALE_CHECK(roots.size() == results.size(), roots.size()
                                                  << " roots, " << results.size() << " results");
  impl_->start(roots);
  impl_->evaluate(evaluator);
  impl_->expand_roots(roots, results);
  while (!impl_->leaves.empty()) {
    impl_->evaluate(evaluator);
    impl_->step();
  }
  impl_->stats.simulations += roots.size() * static_cast<std::uint64_t>(impl_->config.simulations);
  impl_->write_results(results);
}

std::vector<env::Move> BatchedSearch::principal_variation(int index, int max_plies) const {
  const Tree& line = tree(index);
  std::vector<env::Move> moves;
  NodeIndex node = kRoot;
  while (static_cast<int>(moves.size()) < max_plies && line[node].total_visits > 0) {
    const env::Move move = best_move(edge_statistics(line[node]));
    moves.push_back(move);
    node = line[node].children[move];
  }
  return moves;
}

const Tree& BatchedSearch::tree(int index) const {
  AWALE_CHECK(index >= 0 && index < impl_->games, "tree " << index << " of " << impl_->games);
  return impl_->trees[index];
}

const SearchStats& BatchedSearch::stats() const {
  return impl_->stats;
}

}  // namespace awale::mcts
