// The earlier positions that a search may still meet again: what repetition makes a score depend
// on, beside the board.
//
// A position that comes back without a capture has had each of the twelve pits played in between
// (env::kShortestCyclePlies). So of the positions behind a node only those can come back within the
// plies left whose pits, as far as they have not been played since or hold too much, can all be
// played in that time. In most nodes that is none.
#pragma once

#include <cstddef>
#include <vector>

#include "env/game.hpp"
#include "mcts/baseline/rows.hpp"

namespace awale::mcts {

class Past {
 public:
  // Some of the stored positions, those that matter to one node.
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;

    bool empty() const { return begin == end; }
  };

  // What matters to the root of a search of `depth` plies.
  Range begin(const env::Game& game, int depth);

  // What matters to the child of a node: the node itself, its positions and the quiet move that
  // leads to the child, `depth` plies and `level` plies below the root. The ranges of nodes
  // beside the child's ancestors end here.
  Range descend(Range parent_past, const Rows& parent, int move, const Rows& child, int level,
                int depth);

  int occurrences(Range range, const Rows& rows, int level) const;

  // Of the boards alone, in any order, seen from the node at `level`.
  std::uint64_t digest(Range range, int level) const;

 private:
  // Rows and flags of the root's mover and of his opponent.
  struct Entry {
    std::array<Row, 2> rows;
    std::array<Row, 2> played;  // flags of the pits played since
    int parity = 0;             // of the plies from the root
  };

  static bool may_return(const Entry& entry, const Rows& rows, int level, int depth);

  std::vector<Entry> entries_;
};

}  // namespace awale::mcts
