#include "mcts/tree.hpp"

#include <algorithm>
#include <cstdio>
#include <limits>
#include <ostream>
#include <string>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "mcts/lanes.hpp"

namespace awale::mcts {
namespace {

std::string path_text(const Tree& tree, const Node& leaf) {
  std::string moves;
  for (const Node* node = &leaf; node->depth > 0; node = &tree[node->parent]) {
    const env::Side mover = tree[node->parent].board.to_move;
    moves += env::move_letter(mover, node->parent_move);
  }
  std::reverse(moves.begin(), moves.end());
  return moves.empty() ? "root" : moves;
}

void write_edge(std::ostream& stream, const Tree& tree, const Node& node, env::Move move) {
  const char letter = env::move_letter(node.board.to_move, move);
  const int visits = node.visits[move];
  std::array<char, 64> text;
  if (visits == 0) {
    std::snprintf(text.data(), text.size(), " %c:%.4f", letter, double{node.priors[move]});
  } else {
    std::snprintf(text.data(), text.size(), " %c:%.4f/%d/%+.4f/%+.2f", letter,
                  double{node.priors[move]}, visits, double{node.value_sums[move]} / visits,
                  double{tree.mean_margin_seeds(node, move)});
  }
  stream << text.data();
  if ((node.flags & Node::kBounded) != 0) {
    stream << '[' << int{node.lower_seeds[move]} << ".." << int{node.upper_seeds[move]} << ']';
  }
}

int best_bound(const Node& node, const std::array<std::int8_t, env::kMoves>& bounds) {
  int best = std::numeric_limits<std::int8_t>::min();
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((node.legal >> move & 1) != 0) best = std::max<int>(best, bounds[move]);
  }
  return best;
}

}  // namespace

float Node::mean_utility() const {
  return (utility + sum(load(value_sums))) / static_cast<float>(1 + total_visits);
}

Tree::Tree(int capacity) {
  AWALE_CHECK(capacity >= 1 && capacity <= kMostNodes, "capacity " << capacity);
  nodes_.reserve(static_cast<std::size_t>(capacity));
}

void Tree::reset(const env::Position& position, std::span<const env::Board> history,
                 env::LegalMask legal) {
  AWALE_CHECK((history.size() == position.quiet_plies + 1U || history.size() == 1) &&
                  history.back() == position.board,
              "history of " << history.size() << " positions, " << position.quiet_plies
                            << " quiet plies at " << position.board);
  nodes_.clear();
  Node& root = nodes_.emplace_back();
  root.board = position.board;
  root.quiet_plies = position.quiet_plies;
  root.repetitions = position.repetitions;
  root.legal = legal;
  root_ply_ = position.ply;
  history_ = history;
}

void Tree::make_root(NodeIndex index, std::span<const env::Board> history) {
  const std::uint16_t depth = nodes_[index].depth;
  AWALE_CHECK(history.back() == nodes_[index].board,
              "history of " << history.back() << " for " << nodes_[index].board);
  // Children stand behind their parents, so what is kept moves towards the front only. The parents
  // of kept nodes have moved before; nodes that are dropped get a parent that says so.
  constexpr NodeIndex kDropped = std::numeric_limits<NodeIndex>::max();
  moved_to_.resize(nodes_.capacity());
  std::size_t kept = 0;
  for (std::size_t from = index; from < nodes_.size(); ++from) {
    const bool is_root = from == index;
    const NodeIndex old_parent = nodes_[from].parent;
    const bool is_below = !is_root && old_parent >= index && moved_to_[old_parent] != kDropped;
    moved_to_[from] = is_root || is_below ? static_cast<NodeIndex>(kept) : kDropped;
    if (moved_to_[from] == kDropped) continue;
    Node& node = nodes_[kept++] = nodes_[from];
    node.depth = static_cast<std::uint16_t>(node.depth - depth);
    node.parent = is_root ? kRoot : moved_to_[old_parent];
    if (!is_root) nodes_[node.parent].children[node.parent_move] = moved_to_[from];
  }
  nodes_.resize(kept);
  nodes_[kRoot].parent_move = 0;
  root_ply_ += depth;
  history_ = history;
}

NodeIndex Tree::add_child(NodeIndex parent, env::Move move) {
  AWALE_CHECK(nodes_.size() < nodes_.capacity(), "tree of " << nodes_.size() << " nodes is full");
  const auto index = static_cast<NodeIndex>(nodes_.size());
  Node& child = nodes_.emplace_back();
  Node& node = nodes_[parent];
  node.children[move] = index;
  child.parent = parent;
  child.parent_move = move;
  child.board = node.board;
  child.quiet_plies = node.quiet_plies;
  child.depth = static_cast<std::uint16_t>(node.depth + 1);
  return index;
}

env::Position Tree::position(const Node& node) const {
  env::Position position;
  position.board = node.board;
  position.ply = static_cast<std::uint16_t>(ply(node));
  position.quiet_plies = node.quiet_plies;
  position.repetitions = node.repetitions;
  return position;
}

int Tree::earlier_occurrences(const Node& node) const {
  if (node.quiet_plies < env::kShortestCyclePlies) return 0;
  int occurrences = 0;
  // Every second position has the same side to move. First those between the root and the node ...
  const int quiet_on_path = std::min<int>(node.quiet_plies, node.depth);
  const Node* earlier = &node;
  int back = 2;
  for (; back <= quiet_on_path; back += 2) {
    earlier = &nodes_[nodes_[earlier->parent].parent];
    occurrences += earlier->board == node.board ? 1 : 0;
  }
  // ... then the game before; history_.back() is the root itself, `depth` plies back.
  const int root_entry = static_cast<int>(history_.size()) - 1 + node.depth;
  for (; back <= node.quiet_plies; back += 2) {
    occurrences += history_[static_cast<std::size_t>(root_entry - back)] == node.board ? 1 : 0;
  }
  return occurrences;
}

void Tree::back_up(NodeIndex leaf, float utility, float margin_seeds) {
  nodes_[leaf].margin_sum_seeds += margin_seeds;
  for (NodeIndex index = leaf; index != kRoot;) {
    utility = -utility;
    margin_seeds = -margin_seeds;
    const env::Move move = nodes_[index].parent_move;
    index = nodes_[index].parent;
    Node& node = nodes_[index];
    ++node.total_visits;
    node.margin_sum_seeds += margin_seeds;
    // Whole registers, as they will soon be read again: after a write of one element such a read
    // would have to wait until that is in the cache.
    constexpr CountLanes kMovesInOrder = {0, 1, 2, 3, 4, 5, 6, 7};
    const CountLanes here = kMovesInOrder == (CountLanes{} + move);
    store(load(node.visits) - here, node.visits);
    store(load(node.value_sums) + one_lane(move, utility), node.value_sums);
  }
}

float Tree::mean(NodeIndex index) const {
  const Node& node = nodes_[nodes_[index].parent];
  const env::Move move = nodes_[index].parent_move;
  return -node.value_sums[move] / static_cast<float>(node.visits[move]);
}

void Tree::set_mean(NodeIndex index, float value) {
  const env::Move move = nodes_[index].parent_move;
  Node& node = nodes_[nodes_[index].parent];
  const float sum = -value * static_cast<float>(node.visits[move]);
  store(with_lane(load(node.value_sums), move, sum), node.value_sums);  // whole, as in back_up()
}

void Tree::add_pending(NodeIndex leaf, int change) {
  for (NodeIndex index = leaf; index != kRoot;) {
    const env::Move move = nodes_[index].parent_move;
    index = nodes_[index].parent;
    nodes_[index].pending[move] = static_cast<std::uint8_t>(nodes_[index].pending[move] + change);
  }
}

void Tree::pass_up_bounds(NodeIndex index, int lower_seeds, int upper_seeds) {
  while (index != kRoot) {
    Node& below = nodes_[index];
    const env::Move move = below.parent_move;
    index = below.parent;
    Node& node = nodes_[index];
    const int lower = std::max<int>(node.lower_seeds[move], -upper_seeds);
    const int upper = std::min<int>(node.upper_seeds[move], -lower_seeds);
    if (node.lower_seeds[move] == lower && node.upper_seeds[move] == upper) return;
    node.lower_seeds[move] = static_cast<std::int8_t>(lower);
    node.upper_seeds[move] = static_cast<std::int8_t>(upper);
    node.flags |= Node::kBounded;
    if (lower == upper) below.settle(-lower);
    lower_seeds = lower_bound_seeds(node);
    upper_seeds = upper_bound_seeds(node);
  }
  Node& root = nodes_[kRoot];
  if (lower_seeds == upper_seeds) root.settle(lower_seeds);
}

float Tree::mean_margin_seeds(const Node& node, env::Move move) const {
  const float mean = -nodes_[node.children[move]].margin_sum_seeds /
                     static_cast<float>(std::max<int>(node.visits[move], 1));
  if ((node.flags & Node::kBounded) == 0) return mean;
  return std::clamp(mean, static_cast<float>(node.lower_seeds[move]),
                    static_cast<float>(node.upper_seeds[move]));
}

int lower_bound_seeds(const Node& node) {
  return best_bound(node, node.lower_seeds);
}

int upper_bound_seeds(const Node& node) {
  return best_bound(node, node.upper_seeds);
}

std::ostream& operator<<(std::ostream& stream, const Tree& tree) {
  for (int i = 0; i < tree.size(); ++i) {
    const Node& node = tree[static_cast<NodeIndex>(i)];
    stream << path_text(tree, node) << ": ply " << tree.ply(node) << " quiet " << node.quiet_plies;
    if (node.repetitions > 0) stream << " repetitions " << int{node.repetitions};
    if (node.settled()) {
      stream << (node.terminal() ? " over" : " solved") << ", margin "
             << int{node.final_margin_seeds};
    }
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((node.legal >> move & 1) != 0) write_edge(stream, tree, node, move);
    }
    stream << '\n';
  }
  return stream;
}

}  // namespace awale::mcts
