#include "mcts/batched_search.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "env/error.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/puct.hpp"
#include "mcts/root_policy.hpp"
#include "mcts/simulation.hpp"
#include "mcts/tree.hpp"
#include "mcts/tree_reuse.hpp"
#include "mcts/utility.hpp"

namespace awale::mcts {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// Which rows of a step are timed: reading the clock for every row would cost as much as the row.
// Not the first ones, which find the cache full of network.
class RowSample {
 public:
  explicit RowSample(std::size_t rows)
      : first_(std::min(kEvery / 2, rows / 2)),
        rows_each_(static_cast<double>(rows) /
                   static_cast<double>((rows - first_ + kEvery - 1) / kEvery)) {}

  bool contains(std::size_t row) const { return row >= first_ && (row - first_) % kEvery == 0; }
  // How many rows a timed one stands for.
  double rows_each() const { return rows_each_; }

 private:
  static constexpr std::size_t kEvery = 32;
  std::size_t first_;
  double rows_each_;
};

// What reading the clock once takes: as much as a part of a row.
double clock_seconds() {
  constexpr int kReadings = 64;
  double least = 1;
  for (int i = 0; i < kReadings; ++i)
    least = std::min(least, seconds_since(Clock::now()));
  return least;
}

// considered_visits() for each number of legal moves.
using Halving = std::array<std::vector<std::uint16_t>, env::kMoves + 1>;

}  // namespace

struct BatchedSearch::Impl {
  Impl(const env::RuleSet& search_rules, const SearchConfig& search_config,
       std::uint64_t search_seed)
      : rules(search_rules),
        config(search_config),
        quiet_config(without_noise(search_config)),
        seed(search_seed) {}

  // A row of the current batch and where its evaluation goes. A tree's rows stand together.
  struct Leaf {
    int tree;
    NodeIndex node;
  };

  void start(std::span<const SearchRoot> roots);
  void start_tree(int index, const SearchRoot& root);
  const std::uint16_t* considered(const Node& root, int simulations);
  void evaluate(nn::Evaluator& evaluator);
  void begin_searches(std::span<const SearchRoot> roots, std::span<SearchResult> results);
  void begin_search(int index, const SearchRoot& root, SearchResult& result);
  void step();
  void finish_row(std::size_t row);
  void prefetch(std::size_t row) const;
  void gather(int index);
  void settle(Tree& tree, NodeIndex leaf);
  void add_row(int tree, NodeIndex node);
  SearchResult result(int index) const;
  void write_results(std::span<SearchResult> results) const;

  env::RuleSet rules;
  SearchConfig config;
  SearchConfig quiet_config;
  std::uint64_t seed;
  SearchStats stats;
  std::vector<Tree> trees;  // one a game, more where an earlier run had more games
  std::vector<RootSearch> searches;
  TreeReuse reuse;
  std::map<int, Halving> halvings;  // by the number of simulations
  int games = 0;                    // N of the last run

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
  searches.resize(roots.size());
  leaves.clear();
  positions.clear();
  if (config.reuse_tree) reuse.assign(roots, trees);
  for (int i = 0; i < games; ++i) {
    start_tree(i, roots[static_cast<std::size_t>(i)]);
    add_row(i, kRoot);
  }
}

void BatchedSearch::Impl::start_tree(int index, const SearchRoot& root) {
  const env::Position& position = root.position;
  const env::LegalMask legal = env::legal_moves(rules, position.board);
  const auto reason =
      env::end_reason(rules, position.board, legal, position.repetitions + 1, position.ply);
  AWALE_CHECK(reason == env::EndReason::kNone, "game " << root.game_id << " is over ("
                                                       << env::to_string(reason) << ") at "
                                                       << position.board);
  AWALE_CHECK(root.simulations >= 0 && root.simulations <= config.simulations,
              root.simulations << " simulations, at most " << config.simulations);
  auto& search = searches[static_cast<std::size_t>(index)];
  search.config = root.noise ? &config : &quiet_config;
  search.simulations = root.simulations > 0 ? root.simulations : config.simulations;
  auto& tree = trees[static_cast<std::size_t>(index)];
  if (config.reuse_tree && reuse.descend(tree, index, root)) return;
  tree.reset(position, root.history, legal);
}

void BatchedSearch::Impl::evaluate(nn::Evaluator& evaluator) {
  evaluations.resize(positions.size());
  const auto begin = Clock::now();
  evaluator.evaluate(rules, positions, evaluations);
  stats.evaluator_seconds += seconds_since(begin);
  stats.evaluations += positions.size();
  ++stats.batches;
}

void BatchedSearch::Impl::begin_searches(std::span<const SearchRoot> roots,
                                         std::span<SearchResult> results) {
  leaves.clear();
  positions.clear();
  for (int i = 0; i < games; ++i) {
    const auto game = static_cast<std::size_t>(i);
    begin_search(i, roots[game], results[game]);
    gather(i);
  }
}

void BatchedSearch::Impl::begin_search(int index, const SearchRoot& root, SearchResult& result) {
  const auto game = static_cast<std::size_t>(index);
  Node& node = trees[game].root();
  RootSearch& search = searches[game];
  if ((node.flags & Node::kExpanded) == 0) expand(node, evaluations[game], config);
  result.network = evaluations[game];
  result.priors = node.priors;
  env::RandomStream stream(seed, env::RandomPurpose::kRootNoise, root.game_id, root.position.ply);
  if (config.algorithm == Algorithm::kGumbel) {
    search.logits = root_logits(node, *search.config, stream);
    search.considered = considered(node, search.simulations);
  } else if (search.config->noise_weight > 0) {
    add_dirichlet_noise(node.priors, node.legal, config.noise_weight, config.noise_total, stream);
  }
}

const std::uint16_t* BatchedSearch::Impl::considered(const Node& root, int simulations) {
  const auto [entry, is_new] = halvings.try_emplace(simulations);
  Halving& halving = entry->second;
  for (int moves = 1; is_new && moves <= env::kMoves; ++moves)
    halving[static_cast<std::size_t>(moves)] = considered_visits(moves, simulations);
  const int moves = std::min(config.considered_moves, std::popcount(unsigned{root.legal}));
  return halving[static_cast<std::size_t>(moves)].data();
}

// Finishes the simulations of every row just evaluated and at once starts the tree's next ones,
// while its nodes are still in the cache.
void BatchedSearch::Impl::step() {
  std::swap(leaves, evaluated);
  leaves.clear();
  positions.clear();
  static const double kClockSeconds = clock_seconds();
  const RowSample sample(evaluated.size());
  for (std::size_t row = 0; row < evaluated.size(); ++row) {
    prefetch(row + 1);
    const bool timed = sample.contains(row);
    const auto begin = timed ? Clock::now() : Clock::time_point();
    finish_row(row);
    const auto middle = timed ? Clock::now() : Clock::time_point();
    const int tree = evaluated[row].tree;
    const bool last_of_tree = row + 1 == evaluated.size() || evaluated[row + 1].tree != tree;
    if (last_of_tree) gather(tree);
    if (!timed) continue;
    const std::chrono::duration<double> backup = middle - begin;
    stats.backup_seconds += sample.rows_each() * (backup.count() - kClockSeconds);
    stats.selection_seconds += sample.rows_each() * (seconds_since(middle) - kClockSeconds);
  }
}

void BatchedSearch::Impl::prefetch(std::size_t row) const {
  if (row >= evaluated.size()) return;
  const Tree& tree = trees[static_cast<std::size_t>(evaluated[row].tree)];
  for (const Node* node : {&tree.root(), &tree[evaluated[row].node]}) {
    __builtin_prefetch(node);
    __builtin_prefetch(reinterpret_cast<const char*>(node) + sizeof(Node) / 2);
  }
}

void BatchedSearch::Impl::finish_row(std::size_t row) {
  const auto [index, leaf] = evaluated[row];
  Tree& tree = trees[static_cast<std::size_t>(index)];
  const float value = expand(tree[leaf], evaluations[row], config);
  if (config.leaves > 1) tree.add_pending(leaf, -1);
  tree.back_up(leaf, value, evaluations[row].margin_seeds);
  choose_next(tree, leaf, config);
}

// Simulations that end in a settled node need no network: they are finished at once and the tree
// goes on, so that it still fills its rows of the batch.
void BatchedSearch::Impl::gather(int index) {
  const auto game = static_cast<std::size_t>(index);
  Tree& tree = trees[game];
  const RootSearch& search = searches[game];
  int waiting = 0;
  while (waiting < config.leaves && tree.root().total_visits + waiting < search.simulations) {
    const int size = tree.size();
    const NodeIndex leaf = select_leaf(tree, rules, search);
    if (tree[leaf].settled()) {
      settle(tree, leaf);
      continue;
    }
    if (tree.size() == size) break;  // it waits for its evaluation already
    add_row(index, leaf);
    if (config.leaves > 1) {
      tree.add_pending(leaf, 1);
      choose_next(tree, leaf, config);
    }
    ++waiting;
  }
}

void BatchedSearch::Impl::settle(Tree& tree, NodeIndex leaf) {
  const int margin = tree[leaf].final_margin_seeds;
  if (config.solve) tree.pass_up_bounds(leaf);
  tree.back_up(leaf, terminal_utility(margin, config.margin_weight), static_cast<float>(margin));
  choose_next(tree, leaf, config);
}

void BatchedSearch::Impl::add_row(int tree, NodeIndex node) {
  const Tree& owner = trees[static_cast<std::size_t>(tree)];
  leaves.push_back({tree, node});
  positions.push_back(owner.position(owner[node]));
}

SearchResult BatchedSearch::Impl::result(int index) const {
  const auto game = static_cast<std::size_t>(index);
  return root_result(trees[game], *searches[game].config, searches[game].logits);
}

void BatchedSearch::Impl::write_results(std::span<SearchResult> results) const {
  for (int index = 0; index < games; ++index) {
    const auto i = static_cast<std::size_t>(index);
    SearchResult result = this->result(index);
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
  impl_->begin_searches(roots, results);
  while (!impl_->leaves.empty()) {
    impl_->evaluate(evaluator);
    impl_->step();
  }
  for (const auto& search : impl_->searches)
    impl_->stats.simulations += static_cast<std::uint64_t>(search.simulations);
  impl_->write_results(results);
}

std::vector<env::Move> BatchedSearch::principal_variation(int index, int max_plies) const {
  const Tree& line = tree(index);
  std::vector<env::Move> moves;
  NodeIndex node = kRoot;
  while (static_cast<int>(moves.size()) < max_plies && line[node].total_visits > 0) {
    const env::Move move =
        node == kRoot ? impl_->result(index).best : most_visited_move(line[node], impl_->config);
    moves.push_back(move);
    node = line[node].children[move];
  }
  return moves;
}

const Tree& BatchedSearch::tree(int index) const {
  AWALE_CHECK(index >= 0 && index < impl_->games, "tree " << index << " of " << impl_->games);
  return impl_->trees[static_cast<std::size_t>(index)];
}

std::size_t BatchedSearch::bytes() const {
  const auto bytes_of = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
  std::size_t bytes = bytes_of(impl_->trees) + bytes_of(impl_->searches) + bytes_of(impl_->leaves) +
                      bytes_of(impl_->evaluated) + bytes_of(impl_->positions) +
                      bytes_of(impl_->evaluations);
  for (const Tree& tree : impl_->trees)
    bytes += tree.bytes();
  return bytes;
}

const SearchStats& BatchedSearch::stats() const {
  return impl_->stats;
}

}  // namespace awale::mcts
