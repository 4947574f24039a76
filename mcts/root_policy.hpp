// From what a search found to a move and to a training target. Pure functions.
#pragma once

#include <array>

#include "env/board.hpp"
#include "env/random.hpp"
#include "mcts/batched_search.hpp"

namespace awale::mcts {

// The most visited move; of equally visited ones that of the higher value, then of the higher
// margin, then the lowest. At least one move has been visited.
env::Move best_move(const SearchResult& result);

// A move drawn with probability proportional to visits^(1/temperature), temperature > 0 (Silver et
// al. 2017, Methods, "Play"). Takes one number from `stream`.
env::Move sample_move(const SearchResult& result, double temperature, env::RandomStream& stream);

// The policy target: each move's share of the visits, sum 1.
std::array<float, env::kMoves> visit_shares(const SearchResult& result);

// The search's expected final margin at the root, in seeds: the mean over its simulations.
float root_margin_seeds(const SearchResult& result);

// The search's win - loss at the root, in [-1,1]: root_value without the margin's part (the inverse
// of utility() for the margin above).
float root_win_loss(const SearchResult& result, float margin_weight);

}  // namespace awale::mcts
