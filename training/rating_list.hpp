// One rating list for many players who met in many pairings, by maximum likelihood.
//
// The model is Bradley and Terry's (1952, "Rank analysis of incomplete block designs"; Hunter 2004,
// "MM algorithms for generalized Bradley-Terry models"): the expected score of a player who is d
// Elo stronger is 1 / (1 + 10^(-d/400)). A draw is half a point, so the likelihood is that of the
// points (a quasi-likelihood: Wedderburn 1974); no model of draws is needed, for their share shows
// in the spread of the pair scores.
//
// A player who has won or lost everything would be infinitely strong or weak. So each player is
// given half a virtual drawn game, spread evenly over its pairings, by each side of a pairing: one
// in all for a player whose opponents have as many pairings as it (Coulom's BayesElo, 2008, has
// two). For two players this is the half point that rating.hpp keeps back. The intervals are
// symmetric and say little of a player at 0 or 100 %: a match with Wilson's interval tells more
// there.
//
// Intervals: the covariance is the sandwich H^-1 J H^-1 (Huber 1967; White 1982) of the
// likelihood's curvature H and the spread J that the pair scores really have, pairing by pairing
// (dispersion() in rating.hpp), because the two games of a pair are not independent.
//
// Pure functions, safe from any thread.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "training/rating.hpp"

namespace awale::training {

// Two players by index, and their pairs as the first one scored them; maybe none yet.
struct PairingCounts {
  int first = 0;
  int second = 0;
  PairCounts counts;
};

// low and high bound the 95 % interval.
struct ListedRating {
  double elo = 0;
  double elo_low = 0;
  double elo_high = 0;
};

struct RatingListConfig {
  // Whose rating is anchor_elo, without an interval; nobody: anchor_elo is the mean of all.
  std::optional<int> anchor = std::nullopt;
  double anchor_elo = 0;
  double virtual_games =
      1;  // drawn ones, a player (see above); 0: none, then ratings may not exist
};

// The rating of each of `players` players (2 or more). Every player must be linked with every other
// through pairings, played or not. Cubic in the players: 200 take 50 ms.
std::vector<ListedRating> rate_list(int players, std::span<const PairingCounts> pairings,
                                    const RatingListConfig& config = {});

}  // namespace awale::training
