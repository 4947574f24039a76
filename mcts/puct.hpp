// The formulas of the search as pure functions, each with its source. Safe from any thread.
//
// Utility is what the search maximizes, in [-1,1], seen from the player to move at the node.
#pragma once

#include <array>

#include "env/board.hpp"
#include "env/random.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"
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

// Softmax over the legal moves, 0 elsewhere. `legal` has at least one move.
std::array<float, env::kMoves> masked_softmax(const std::array<float, env::kMoves>& logits,
                                              env::LegalMask legal);

// First-play urgency, the value of an edge without visits: the node's mean utility minus
// reduction * sqrt(visited_prior_mass), the sum of the priors of the visited edges (Leela Chess
// Zero's "reduction" strategy).
float first_play_urgency(float mean_utility, float visited_prior_mass, float reduction);

// Q + c_puct * prior * sqrt(node_visits) / (1 + edge_visits), Silver et al. 2017, "Mastering the
// game of Go without human knowledge", Methods, "Select". As in the pseudocode of Silver et al.
// 2018
// ("A general reinforcement learning algorithm ...") node_visits counts the node's own evaluation,
// so that the priors decide the very first visit too.
float puct_score(float q, float prior, int edge_visits, int node_visits, float c_puct);

// The legal edge of an expanded node with the highest score; of equal ones the lowest move.
env::Move select_move(const Node& node, const SearchConfig& config);

// priors = (1 - weight) * priors + weight * noise over the legal moves, noise drawn from a
// symmetric Dirichlet distribution with total concentration `total` (Silver et al. 2017, Methods,
// "Select"). Draws from `stream` for each legal move, in order.
void add_dirichlet_noise(std::array<float, env::kMoves>& priors, env::LegalMask legal, float weight,
                         float total, env::RandomStream& stream);

}  // namespace awale::mcts
