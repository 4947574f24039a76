// Parameters of the search, each with the source of its default.
#pragma once

namespace awale::mcts {

struct SearchConfig {
  int simulations = 64;  // S a move, >= 1

  // Exploration constant of PUCT (Silver et al. 2017, "Mastering the game of Go without human
  // knowledge", Methods). With at most 6 moves and Q in [-1,1], 1.5 explores far too much; 0.5 was
  // the best of those measured.
  float c_puct = 0.5F;

  // First-play urgency: an unvisited child counts as its parent's value minus
  // fpu_reduction * sqrt(visited prior mass) (Leela Chess Zero's "reduction" strategy).
  float fpu_reduction = 0.2F;

  // Dirichlet noise mixed into the root's priors (Silver et al. 2017): 0 turns it off.
  float noise_weight = 0.0F;
  // Concentration is noise_total / number of legal moves (KataGo's scaling, Wu 2019, uses a
  // constant total concentration).
  float noise_total = 10.0F;

  // Utility = (1 - margin_weight) * (win - loss) + margin_weight * clamp(margin / 24, -1, 1), so
  // that won games are won by the larger margin and sooner.
  float margin_weight = 0.1F;

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

}  // namespace awale::mcts
