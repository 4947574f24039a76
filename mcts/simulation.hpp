// The two halves of one simulation, before and after the network: down the tree to a leaf, and the
// leaf's expansion. Everything happens within one tree; `batched_search` decides which tree is
// next.
#pragma once

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// Follows the best edges from the root (which is expanded) to a position where the game is over, or
// to a new one, which is added to the tree and judged by the rules exactly as env::Game would judge
// it, with the game's history before the root. A new leaf that is not terminal must be expanded
// before the next call.
NodeIndex select_leaf(Tree& tree, const env::RuleSet& rules, const SearchConfig& config);

// Gives a leaf its priors and its own utility, which is returned. Aborts on an evaluation that is
// not finite.
float expand(Node& leaf, const nn::Evaluation& evaluation, float margin_weight);

}  // namespace awale::mcts
