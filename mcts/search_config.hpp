// Parameters of the search, each with the source of its default.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "env/endgame/table.hpp"

namespace awale::mcts {

enum class Algorithm {
  kPuct,    // AlphaZero: Silver et al. 2018
  kGumbel,  // Gumbel AlphaZero: Danihelka et al. 2022, "Policy improvement by planning with Gumbel"
};
std::string to_string(Algorithm algorithm);
// Throws InputError(kUsage) that lists the names.
Algorithm parse_algorithm(std::string_view name);
std::vector<std::string> algorithm_names();

struct SearchConfig {
  Algorithm algorithm = Algorithm::kGumbel;
  int simulations = 64;  // S a move, >= 1

  // Utility = (1 - margin_weight) * (win - loss) + margin_weight * clamp(margin / 24, -1, 1), so
  // that won games are won by the larger margin and sooner.
  float margin_weight = 0.1F;

  // Whether exact results found in the tree bound the values above them and pass up (Winands et al.
  // 2008, "Monte-Carlo tree search solver", with margins as in score-bounded search, Cazenave and
  // Saffidine 2010).
  bool solve = true;

  // How much more better edges count in the value that a node passes up: the mean of its edges with
  // weights visits * e^(backup_sharpness * Q), so that a refutation is believed soon, as in
  // minimax, and not only when most visits have gone to it. 0: the plain mean. (Between the
  // operators "mean" and "max" of Coulom 2006, "Efficient selectivity and backup operators in
  // Monte-Carlo tree search"; measured: mcts/README.md.)
  float backup_sharpness = 6.0F;

  // PUCT. Exploration constant (Silver et al. 2017, "Mastering the game of Go without human
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
  // A root move that has been visited gets at least sqrt(forced_playouts * prior * simulations)
  // visits while there is noise, and loses them again in the policy target unless it deserves them
  // (Wu 2019, section 3.2, k = 2): 0 turns it off.
  float forced_playouts = 0.0F;

  // Gumbel. So many moves at most are considered at the root (at most the legal ones). All of them,
  // so that no win is overlooked; with up to 32 simulations 4 play stronger (mcts/README.md).
  int considered_moves = 6;
  // sigma(q) = (c_visit + largest visit count) * c_scale * q (Danihelka et al. 2022, equation 8).
  // c_visit is theirs; c_scale, theirs is 1 for q in [0,1], was measured (mcts/README.md).
  float c_visit = 50.0F;
  float c_scale = 0.7F;
  // Visits beyond this do not sharpen sigma any more: without a cap the improved policy of a node
  // with hundreds of visits follows every small difference of Q (measured: mcts/README.md).
  float visit_cap = 50.0F;
  // Share of the visits below the root that goes to all legal moves alike. The improved policy
  // alone is nearly one-hot where a node has many visits and would never look at the others again.
  float interior_exploration = 0.05F;
  // Scale of the Gumbel noise at the root: 1 in self-play, 0 turns it off.
  float gumbel_noise = 0.0F;

  // Go on with what the last search of the same game found below the moves played since (Silver et
  // al. 2017, Methods, "Play"); the simulations come on top of it. For games that are played one
  // move after the other. Gumbel's search of one game on several threads (SplitSearch) begins anew
  // all the same.
  bool reuse_tree = false;

  // Leaves of one tree that are evaluated together. More than 1 fill the batch where there are few
  // games; the search then chooses leaves before it knows what came out of the others.
  int leaves = 1;

  // The exact oracle: what this table covers is not left to the network. A leaf whose final margin
  // it knows for certain ends there; else it limits the leaf's value, and for the search what is
  // certain. At a root that it covers only moves that keep the outcome it grants are searched
  // (oracle.hpp). None by default: research compares agents by what they know themselves.
  std::shared_ptr<const env::EndgameTable> endgame = nullptr;

  // Whether the root is searched with noise.
  bool noisy() const { return algorithm == Algorithm::kPuct ? noise_weight > 0 : gumbel_noise > 0; }

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

// The same search without noise, for playing and analysis.
SearchConfig without_noise(SearchConfig config);

// How a trained agent plays: as `training` searches, but without noise, with the weight of Q that
// plays best and going on with its trees.
SearchConfig playing(SearchConfig training);

}  // namespace awale::mcts
