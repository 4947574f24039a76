// How the slow search chooses: PUCT and Gumbel at the root and below, and what it makes of a root.
#pragma once

#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "tests/mcts/reference_tree.hpp"

namespace awale::test {

// One search of a root. `noise`: Gumbel's g + logit a move; PUCT's is in the priors.
struct ReferenceRoot {
  mcts::SearchConfig config;                     // without noise where the root is to have none
  int simulations = 0;                           // new ones
  Numbers earlier = Numbers(env::kMoves, 0.0F);  // the edges' visits before them
  Numbers logits;
};

// What a node with visits is worth to its player, if what lies behind `move` is worth `value`: its
// own evaluation and, as often as there are visits, its edges' values by
// visits * e^(backup_sharpness * (value - 1)).
float passed_up(const ReferenceNode& node, const Certain& bounds, const mcts::SearchConfig& config,
                int move, float value);

int choose_below_root(const ReferenceNode& node, const mcts::SearchConfig& config);
int choose_at_root(const ReferenceNode& root, const ReferenceRoot& search);

// All but network and priors.
mcts::SearchResult reference_result(const ReferenceNode& root, const ReferenceRoot& search);

}  // namespace awale::test
