#include "mcts/tree.hpp"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <string>

#include "env/error.hpp"
#include "env/notation.hpp"

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

void write_edge(std::ostream& stream, const Node& node, env::Move move) {
  const char letter = env::move_letter(node.board.to_move, move);
  const int visits = node.visits[move];
  std::array<char, 64> text;
  if (visits == 0) {
    std::snprintf(text.data(), text.size(), " %c:%.4f", letter, double{node.priors[move]});
  } else {
    std::snprintf(text.data(), text.size(), " %c:%.4f/%d/%+.4f/%+.2f", letter,
                  double{node.priors[move]}, visits, double{node.value_sums[move]} / visits,
                  double{node.margin_sums_seeds[move]} / visits);
  }
  stream << text.data();
}

}  // namespace

Tree::Tree(int capacity) {
  AWALE_CHECK(capacity >= 1 && capacity <= 65536, "capacity " << capacity);
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
  for (NodeIndex index = leaf; index != kRoot;) {
    utility = -utility;
    margin_seeds = -margin_seeds;
    const env::Move move = nodes_[index].parent_move;
    index = nodes_[index].parent;
    Node& node = nodes_[index];
    ++node.visits[move];
    ++node.total_visits;
    node.value_sums[move] += utility;
    node.margin_sums_seeds[move] += margin_seeds;
    node.utility_sum += utility;
  }
}

std::ostream& operator<<(std::ostream& stream, const Tree& tree) {
  for (int i = 0; i < tree.size(); ++i) {
    const Node& node = tree[static_cast<NodeIndex>(i)];
    stream << path_text(tree, node) << ": ply " << tree.ply(node) << " quiet " << node.quiet_plies;
    if (node.repetitions > 0) stream << " repetitions " << int{node.repetitions};
    if (node.terminal()) stream << " over, margin " << int{node.final_margin_seeds};
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((node.legal >> move & 1) != 0) write_edge(stream, node, move);
    }
    stream << '\n';
  }
  return stream;
}

}  // namespace awale::mcts
