// The two halves of one simulation, before and after the network: down the tree to a leaf, and the
// leaf's expansion. Everything happens within one tree; `lock_step` decides which tree is
// next.
#pragma once

#include "env/rules.hpp"
#include "mcts/root_search.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// Follows the best edges from the root (which is expanded) to a settled node, or to a new one,
// which is added to the tree and judged by the rules exactly as env::Game would judge it, with the
// game's history before the root, then by the endgame table if there is one; or to one that is
// still waiting for its evaluation. A new leaf that is not settled must be expanded before it is
// passed.
NodeIndex select_leaf(Tree& tree, const env::RuleSet& rules, const RootSearch& root);

// What comes back from a leaf, seen from its player to move.
struct Value {
  float utility = 0;
  float margin_seeds = 0;
};

// Gives a leaf its priors and its own utility, which is returned with the margin; both within what
// an endgame table knows of it. Aborts on an evaluation that is not finite.
Value expand(Node& leaf, const nn::Evaluation& evaluation, const SearchConfig& config);

// After a simulation has been backed up from `leaf`: makes what the nodes on the way to it pass up,
// from the leaf up, the means that config.backup_sharpness asks for.
void pass_up_means(Tree& tree, NodeIndex leaf, const SearchConfig& config);

// Chooses anew which edge to follow from every node on the way to `leaf`, after their statistics
// have changed. Not on the way down: there each choice waits for the one above it, here they are
// independent of each other and the processor works on several at once.
void choose_next(Tree& tree, NodeIndex leaf, const SearchConfig& config);

}  // namespace awale::mcts
