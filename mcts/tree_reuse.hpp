// Finds again what an earlier search of the same game has found out about the positions that have
// come up since: which tree belongs to which game, and where in it the game has gone. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "mcts/search_result.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {

class TreeReuse {
 public:
  // Arranges trees so that trees[i] is the one that served the game of roots[i] in the last call,
  // if any did. trees [N or more].
  void assign(std::span<const SearchRoot> roots, std::vector<Tree>& trees);

  // No game's tree is found again by the next call.
  void forget() { tree_of_game_.clear(); }

  // Makes the position of `root` the root of `tree`, which has been assigned to it as number
  // `index`, if the tree has met it below its present root, over the game's own positions.
  // Otherwise returns false and leaves the tree as it is.
  bool descend(Tree& tree, int index, const SearchRoot& root) const;

 private:
  std::vector<bool> known_;  // [N] whether the tree served this game before
  std::unordered_map<std::uint64_t, std::size_t> tree_of_game_;  // of the last call
};

}  // namespace awale::mcts
