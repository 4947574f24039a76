// Pairs of games as two players of known strength would play them, for tests of statistics.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "env/random.hpp"
#include "training/rating.hpp"

namespace awale::test {

// How games come about beside the players' difference: the share of draws between equals, and how
// much an opening favours the side that begins, in Elo, for or against with equal chances. The
// latter makes the two games of a pair, with colours swapped, go apart.
struct PairModel {
  double draws = 0;
  double opening_elo = 0;
};

// What the first player may score in a game in which he is `elo` stronger, doubled: loss, draw,
// win.
inline std::array<double, 3> game_shares(double elo, double draws) {
  const double score = 1 / (1 + std::pow(10, -elo / 400));
  const double drawn = draws * 4 * score * (1 - score);
  return {1 - score - drawn / 2, drawn, score - drawn / 2};
}

// The chances of the five pair scores.
inline std::array<double, 5> pair_shares(double elo, const PairModel& model) {
  const auto south = game_shares(elo + model.opening_elo, model.draws);
  const auto north = game_shares(elo - model.opening_elo, model.draws);
  std::array<double, 5> shares = {};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      shares[i + k] += south[i] * north[k];
  }
  return shares;
}

// The expected share of the points, 0..1.
inline double expected_score(const std::array<double, 5>& shares) {
  double score = 0;
  for (std::size_t i = 0; i < shares.size(); ++i)
    score += shares[i] * static_cast<double>(i) / 4;
  return score;
}

// 0..4 half points, drawn with these chances.
inline int draw_pair(const std::array<double, 5>& shares, env::RandomStream& random) {
  double rest = random.uniform();
  int half_points = 0;
  while (half_points < 4 && rest >= shares[static_cast<std::size_t>(half_points)])
    rest -= shares[static_cast<std::size_t>(half_points++)];
  return half_points;
}

inline training::PairCounts draw_pairs(const std::array<double, 5>& shares, int pairs,
                                       env::RandomStream& random) {
  training::PairCounts counts;
  for (int pair = 0; pair < pairs; ++pair)
    ++counts.pairs[static_cast<std::size_t>(draw_pair(shares, random))];
  return counts;
}

}  // namespace awale::test
