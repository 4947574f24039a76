// The formulas of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser and Silver 2022, "Policy
// improvement by planning with Gumbel", ICLR) as pure functions; sections and equations below are
// theirs. Safe from any thread.
//
// Q is the mean utility in [-1,1] of the player to move and is taken as it is. The reference
// implementation (mctx) stretches a node's values to [0,1] first, which blows noise up where all of
// them are nearly equal, as in decided endgames.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/board.hpp"
#include "env/random.hpp"
#include "mcts/lanes.hpp"
#include "mcts/root_search.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {

// Sequential halving (section 3.4) as the visit count that the root move of each simulation must
// have: [simulations]. `considered` moves get equally many visits, then the better half of them,
// down to two. Of the moves with that count the one with the best root score is taken. For
// considered >= 1; mctx's seq_halving.py.
std::vector<std::uint16_t> considered_visits(int considered, int simulations);

// sigma(q) = (c_visit + largest_visits) * c_scale * q (equation 8), the visits counted up to
// config.visit_cap.
template <typename Number>
Number sigma(Number q, float largest_visits, const SearchConfig& config) {
  const float counted = largest_visits < config.visit_cap ? largest_visits : config.visit_cap;
  return (config.c_visit + counted) * config.c_scale * q;
}

// The value that edges without visits are taken to have, v_mix (equation 33 in appendix D):
// (raw + N * q_mean) / (1 + N), where N = `total` are the visits and q_mean the mean Q of the
// visited edges, weighted with their priors.
float mixed_value(float raw_value, Lanes values, Lanes priors, Lanes visits, float total);

// Q of every edge, completed with the mixed value where there are no visits (equation 10), within
// the edges' bounds. `visits` are the node's.
Lanes completed_values(const Node& node, Lanes visits, const SearchConfig& config);

// softmax(logits + sigma(completed Q)) over the legal moves (equation 11): the policy target.
std::array<float, env::kMoves> improved_policy(const Node& node, const SearchConfig& config);

// The edge to follow below the root, without randomness (equation 14): visits in the proportions of
// the improved policy, of which config.interior_exploration is spread over all legal moves. Of the
// open contenders; simulations on their way through an edge count as visits.
env::Move select_gumbel(const Node& node, const SearchConfig& config);

// g(a) + logit(a) of every legal move at the root: Gumbel noise of scale config.gumbel_noise (none
// is drawn from `stream` if 0) and the logarithm of the prior.
std::array<float, env::kMoves> root_logits(const Node& root, const SearchConfig& config,
                                           env::RandomStream& stream);

// The root move of the next simulation: of those with `considered` visits in this search, on their
// way included, that with the largest g + logit + sigma(completed Q).
env::Move select_gumbel_root(const Node& root, const RootSearch& search, int considered);

// g + logit + sigma(completed Q) of every legal move: of the moves with the most visits the one
// with the best score is played (section 3.4).
std::array<float, env::kMoves> root_scores(const Node& root, const RootSearch& search);

}  // namespace awale::mcts
