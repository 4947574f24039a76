// The formulas of Gumbel AlphaZero over any number of actions, written for reading: vectors, one
// loop a formula. With six actions they must give what mcts/gumbel.hpp gives, with many the numbers
// of the reference implementation (tests/mcts/mctx_test.cpp).
#pragma once

#include <functional>
#include <vector>

namespace awale::test {

using Numbers = std::vector<float>;  // one an action

// What a node knows of its actions. Values of actions without visits mean nothing.
struct GumbelNode {
  Numbers priors;   // sum 1, 0 where illegal
  Numbers values;   // mean of what came back
  Numbers visits;   // that have come back
  Numbers pending;  // still on their way
  float raw_value = 0;
};

struct GumbelScale {
  float c_visit = 50;
  float c_scale = 0.5F;
  float visit_cap = 1e9F;
};

// Up to eight numbers in the order in which a register is added, pair by pair; more from the left.
float add_up(const Numbers& numbers);

// Sequential halving: the visits that the root action of simulation number `index` must have.
int due_visits(int considered, int simulations, int index);

// Every action's value, the mixed value where there are no visits.
Numbers completed(const GumbelNode& node);

// sigma(completed).
Numbers bonus(const GumbelNode& node, const Numbers& completed, GumbelScale scale);

// softmax(logits + bonus) over the actions with a prior; `exponential` is e^x.
Numbers improved(const GumbelNode& node, const Numbers& bonus,
                 const std::function<float(float)>& exponential);

// The policy with this share of it spread over all actions that have a prior.
Numbers explored(const GumbelNode& node, const Numbers& policy, float share);

// Of the allowed actions that which is furthest below its share of the policy; the first of equals.
int most_wanting(const GumbelNode& node, const Numbers& policy, const std::vector<bool>& allowed);

// Of the allowed actions that with the highest score; the first of equals.
int best_of(const Numbers& scores, const std::vector<bool>& allowed);

}  // namespace awale::test
