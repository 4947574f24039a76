// What the search maximizes: utility in [-1,1], seen from the player to move at the node. Pure.
#pragma once

#include "nn/evaluator.hpp"

namespace awale::mcts {

// (1 - margin_weight) * result + margin_weight * clamp(margin_seeds / 24, -1, 1) with the result in
// [-1,1], so that of two won lines the larger win is preferred (KataGo's score utility, Wu 2019,
// section 3.3 of "Accelerating self-play learning in Go", in its simplest form).
float utility(float result, float margin_seeds, float margin_weight);
// With the network's win - loss as the result.
float utility(const nn::Evaluation& evaluation, float margin_weight);
// Exact: with the result +1, 0 or -1 by the sign of the final margin.
float terminal_utility(int final_margin_seeds, float margin_weight);

}  // namespace awale::mcts
