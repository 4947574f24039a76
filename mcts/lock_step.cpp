#include "mcts/lock_step.hpp"

#include <algorithm>
#include <chrono>

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

}  // namespace

std::span<const nn::Evaluation> LockStep::evaluate_roots(std::span<const Tree> trees,
                                                         nn::Evaluator& evaluator) {
  clear_batch();
  for (const Tree& tree : trees)
    positions_.push_back(tree.position(tree.root()));
  evaluate(evaluator);
  return evaluations_;
}

void LockStep::run(std::span<Tree> trees, std::span<const RootSearch> searches,
                   std::span<const int> which, nn::Evaluator& evaluator) {
  trees_ = trees;
  searches_ = searches;
  clear_batch();
  // Both, because they change places with every step.
  leaves_.reserve(which.size() * static_cast<std::size_t>(config_.leaves));
  evaluated_.reserve(leaves_.capacity());
  for (const int index : which)
    gather(index);
  while (!leaves_.empty()) {
    evaluate(evaluator);
    step();
  }
}

std::size_t LockStep::bytes() const {
  const auto bytes_of = [](const auto& values) { return values.capacity() * sizeof(values[0]); };
  return bytes_of(leaves_) + bytes_of(evaluated_) + bytes_of(positions_) + bytes_of(evaluations_);
}

void LockStep::clear_batch() {
  leaves_.clear();
  positions_.clear();
}

void LockStep::evaluate(nn::Evaluator& evaluator) {
  evaluations_.resize(positions_.size());
  const auto begin = Clock::now();
  evaluator.evaluate(rules_, positions_, evaluations_);
  stats_.evaluator_seconds += seconds_since(begin);
  stats_.evaluations += positions_.size();
  ++stats_.batches;
}

// Finishes the simulations of every row just evaluated and at once starts the tree's next ones,
// while its nodes are still in the cache.
void LockStep::step() {
  std::swap(leaves_, evaluated_);
  clear_batch();
  static const double kClockSeconds = clock_seconds();
  const RowSample sample(evaluated_.size());
  for (std::size_t row = 0; row < evaluated_.size(); ++row) {
    prefetch(row + 1);
    const bool timed = sample.contains(row);
    const auto begin = timed ? Clock::now() : Clock::time_point();
    finish_row(row);
    const auto middle = timed ? Clock::now() : Clock::time_point();
    const int tree = evaluated_[row].tree;
    const bool last_of_tree = row + 1 == evaluated_.size() || evaluated_[row + 1].tree != tree;
    if (last_of_tree) gather(tree);
    if (!timed) continue;
    const std::chrono::duration<double> backup = middle - begin;
    stats_.backup_seconds += sample.rows_each() * (backup.count() - kClockSeconds);
    stats_.selection_seconds += sample.rows_each() * (seconds_since(middle) - kClockSeconds);
  }
}

void LockStep::prefetch(std::size_t row) const {
  if (row >= evaluated_.size()) return;
  const Tree& tree = trees_[static_cast<std::size_t>(evaluated_[row].tree)];
  for (const Node* node : {&tree.root(), &tree[evaluated_[row].node]}) {
    __builtin_prefetch(node);
    __builtin_prefetch(reinterpret_cast<const char*>(node) + sizeof(Node) / 2);
  }
}

void LockStep::finish_row(std::size_t row) {
  const auto [index, leaf] = evaluated_[row];
  Tree& tree = trees_[static_cast<std::size_t>(index)];
  const Value value = expand(tree[leaf], evaluations_[row], config_);
  if (config_.leaves > 1) tree.add_pending(leaf, -1);
  tree.back_up(leaf, value.utility, value.margin_seeds);
  pass_up_means(tree, leaf, config_);
  choose_next(tree, leaf, config_);
}

// Simulations that end in a settled node need no network: they are finished at once and the tree
// goes on, so that it still fills its rows of the batch.
void LockStep::gather(int index) {
  const auto game = static_cast<std::size_t>(index);
  Tree& tree = trees_[game];
  const RootSearch& search = searches_[game];
  int waiting = 0;
  while (waiting < config_.leaves && tree.root().total_visits + waiting < search.simulations) {
    const int size = tree.size();
    const NodeIndex leaf = select_leaf(tree, rules_, search);
    if (tree[leaf].settled()) {
      settle(tree, leaf);
      continue;
    }
    if (tree.size() == size) break;  // it waits for its evaluation already
    leaves_.push_back({index, leaf});
    positions_.push_back(tree.position(tree[leaf]));
    if (config_.leaves > 1) {
      tree.add_pending(leaf, 1);
      choose_next(tree, leaf, config_);
    }
    ++waiting;
  }
}

void LockStep::settle(Tree& tree, NodeIndex leaf) {
  const int margin = tree[leaf].final_margin_seeds;
  if (config_.solve) tree.pass_up_bounds(leaf, margin, margin);
  tree.back_up(leaf, terminal_utility(margin, config_.margin_weight), static_cast<float>(margin));
  pass_up_means(tree, leaf, config_);
  choose_next(tree, leaf, config_);
}

}  // namespace awale::mcts
