// PUCT's formulas as pure functions, each with its source; those that score an edge are written
// once for a single number (float) and for all edges of a node at once (Lanes). Safe from any
// thread. All values are utilities of the player to move at the node.
#pragma once

#include <array>
#include <cmath>

#include "env/board.hpp"
#include "env/random.hpp"
#include "mcts/lanes.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {

// Softmax over the legal moves, 0 elsewhere. `legal` has at least one move.
std::array<float, env::kMoves> masked_softmax(const std::array<float, env::kMoves>& logits,
                                              env::LegalMask legal);

// First-play urgency, the value of an edge without visits: the node's mean utility minus
// reduction * sqrt(visited_prior_mass), the sum of the priors of the visited edges (Leela Chess
// Zero's "reduction" strategy).
inline float first_play_urgency(float mean_utility, float visited_prior_mass, float reduction) {
  return mean_utility - reduction * std::sqrt(visited_prior_mass);
}

// c_puct * sqrt(node_visits), the part of the bonus that all edges of a node share. As in the
// pseudocode of Silver et al. 2018 ("A general reinforcement learning algorithm that masters chess,
// shogi, and Go through self-play") node_visits counts the node's own evaluation, so that the
// priors decide the very first visit too.
inline float exploration(float node_visits, float c_puct) {
  return c_puct * std::sqrt(node_visits);
}

// Q + exploration * prior / (1 + edge_visits), Silver et al. 2017, "Mastering the game of Go
// without human knowledge", Methods, "Select".
template <typename Number>
Number puct_score(Number q, Number prior, Number edge_visits, float exploration) {
  return q + exploration * prior / (1.0F + edge_visits);
}

// sqrt(k * prior * simulations): so many visits a root move gets at least once it has one (Wu 2019,
// "Accelerating self-play learning in Go", section 3.2).
inline float forced_visits(float prior, float simulations, float k) {
  return std::sqrt(k * prior * simulations);
}

// `values` kept within the utilities of the edges' bounds.
Lanes within_bounds(const Node& node, Lanes values, float margin_weight);

// Q of every edge: the mean of what came back, within the edge's bounds; `unvisited` where nothing
// has come back.
inline Lanes edge_values(const Node& node, Lanes visits, float unvisited, float margin_weight) {
  const Lanes means = load(node.value_sums) / max(visits, all_lanes(1));
  const Lanes values = where_positive(visits, means, all_lanes(unvisited));
  if ((node.flags & Node::kBounded) == 0) return values;
  return within_bounds(node, values, margin_weight);
}

// The legal moves that may still be the best: none of them is certainly worse than another one.
env::LegalMask contenders(const Node& node);

// Those of them whose margin is not certain yet, where there are any: the others need no more
// simulations. So a node that is not solved is searched until it is.
env::LegalMask bounded_open_contenders(const Node& node);
inline env::LegalMask open_contenders(const Node& node) {
  return (node.flags & Node::kBounded) == 0 ? node.legal : bounded_open_contenders(node);
}

// The edge of an expanded node to follow: of the open contenders that with the highest score, of
// equal ones the lowest move. Simulations on their way through an edge count as visits, not as
// values (Liu et al. 2020, "Watch the unobserved").
env::Move select_puct(const Node& node, const SearchConfig& config);

// The same at the root. With noise, where the visits become a policy target, of all contenders, and
// a visited move that has not yet got its forced visits goes first.
env::Move select_puct_root(const Node& root, const SearchConfig& config);

// The root's visits without those that only noise and forcing earned: from every move but the most
// visited, up to its forced visits are taken as long as its score stays below the most visited
// one's; a move left with one visit loses it (Wu 2019, section 3.2).
std::array<float, env::kMoves> pruned_visits(const Node& root, const SearchConfig& config);

// priors = (1 - weight) * priors + weight * noise over the legal moves, noise drawn from a
// symmetric Dirichlet distribution with total concentration `total` (Silver et al. 2017, Methods,
// "Select"). Draws from `stream` for each legal move, in order.
void add_dirichlet_noise(std::array<float, env::kMoves>& priors, env::LegalMask legal, float weight,
                         float total, env::RandomStream& stream);

}  // namespace awale::mcts
