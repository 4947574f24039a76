#include "mcts/tree_reuse.hpp"

#include <algorithm>
#include <utility>

namespace awale::mcts {
namespace {

bool same_position(const env::Position& left, const env::Position& right) {
  return left.board == right.board && left.ply == right.ply &&
         left.quiet_plies == right.quiet_plies && left.repetitions == right.repetitions;
}

// Whether the path to the node has the positions that the game had since the last capture. Another
// path may lead to the same position, but repetitions below it are others.
bool same_past(const Tree& tree, const Node& node, std::span<const env::Board> history) {
  const auto known = std::min<std::size_t>(node.depth, history.size() - 1);
  const Node* earlier = &node;
  for (std::size_t back = 1; back <= known; ++back) {
    earlier = &tree[earlier->parent];
    if (!(earlier->board == history[history.size() - 1 - back])) return false;
  }
  return true;
}

// kRoot if there is none.
NodeIndex find_below_root(const Tree& tree, const SearchRoot& root) {
  for (int i = 1; i < tree.size(); ++i) {
    const auto index = static_cast<NodeIndex>(i);
    const Node& node = tree[index];
    const bool usable = !node.terminal() && (node.flags & Node::kExpanded) != 0;
    if (usable && same_position(tree.position(node), root.position) &&
        same_past(tree, node, root.history)) {
      return index;
    }
  }
  return kRoot;
}

}  // namespace

void TreeReuse::assign(std::span<const SearchRoot> roots, std::vector<Tree>& trees) {
  known_.assign(roots.size(), false);
  // Where a tree of the last call stands now, and which of them stands at a place.
  std::vector<std::size_t> place_of(trees.size());
  std::vector<std::size_t> tree_at(trees.size());
  for (std::size_t i = 0; i < trees.size(); ++i)
    place_of[i] = tree_at[i] = i;
  std::unordered_map<std::uint64_t, std::size_t> now;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    now[roots[i].game_id] = i;
    const auto found = tree_of_game_.find(roots[i].game_id);
    if (found == tree_of_game_.end()) continue;
    const std::size_t place = place_of[found->second];
    tree_of_game_.erase(found);  // of two roots with one number the first has it
    if (place < i) continue;     // another game has taken the place
    std::swap(trees[i], trees[place]);
    std::swap(tree_at[i], tree_at[place]);
    place_of[tree_at[i]] = i;
    place_of[tree_at[place]] = place;
    known_[i] = true;
  }
  tree_of_game_ = std::move(now);
}

bool TreeReuse::descend(Tree& tree, int index, const SearchRoot& root) const {
  if (!known_[static_cast<std::size_t>(index)]) return false;
  const NodeIndex found = find_below_root(tree, root);
  if (found == kRoot) return false;
  tree.make_root(found, root.history);
  return true;
}

}  // namespace awale::mcts
