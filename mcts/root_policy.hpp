// From a searched root to a result, and from a result to a move. Pure functions.
#pragma once

#include <array>
#include <vector>

#include "env/board.hpp"
#include "env/random.hpp"
#include "mcts/root_search.hpp"
#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {

// The moves to choose from at an expanded node: of a solved one those that are certain to give its
// margin, else certain wins if there are any (nothing else may throw one away), else all that are
// not certainly worse than another one.
env::LegalMask playable_moves(const Node& node);

// The playable move with the most visits, of equally visited ones that with the higher value, then
// the lowest; or a move whose value is certain and no lower. At least one move has been visited.
env::Move most_visited_move(const Node& node, const SearchConfig& config);

// The line of best moves from the root: `first`, then the most visited ones, at most `max_plies`
// moves.
std::vector<env::Move> principal_variation(const Tree& tree, env::Move first,
                                           const SearchConfig& config, int max_plies);

// The result at the root after `search`, all but its `network` and `priors`. `margins_seeds`: mean
// final margins of the visited moves.
SearchResult root_result(const Node& root, const std::array<float, env::kMoves>& margins_seeds,
                         const RootSearch& search);

// A playable move drawn with probability proportional to visits^(1/temperature), temperature > 0
// (Silver et al. 2017, Methods, "Play"). Takes one number from `stream`.
env::Move sample_move(const SearchResult& result, double temperature, env::RandomStream& stream);

// The search's win - loss at the root, in [-1,1]: root_value without the margin's part (the inverse
// of utility() for the result's margin).
float root_win_loss(const SearchResult& result, float margin_weight);

}  // namespace awale::mcts
