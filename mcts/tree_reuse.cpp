#include "mcts/tree_reuse.hpp"

#include <algorithm>
#include <limits>
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
  constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  known_.assign(roots.size(), false);
  std::vector<std::size_t> from(trees.size(), kNone);  // for each place the tree's place before
  std::vector<bool> taken(trees.size(), false);
  std::unordered_map<std::uint64_t, std::size_t> now;
  for (std::size_t i = 0; i < roots.size(); ++i) {
    now[roots[i].game_id] = i;
    const auto found = tree_of_game_.find(roots[i].game_id);
    if (found == tree_of_game_.end()) continue;
    known_[i] = true;
    from[i] = found->second;
    taken[found->second] = true;
    tree_of_game_.erase(found);  // of two roots with one number the first has it
  }
  std::size_t next = 0;
  for (std::size_t& place : from) {
    if (place != kNone) continue;
    while (taken[next])
      ++next;
    place = next++;
  }
  std::vector<Tree> before = std::move(trees);
  trees.clear();
  for (const std::size_t place : from)
    trees.push_back(std::move(before[place]));
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
