// How strong one player is against another, from games played in pairs: points, Elo and their 95 %
// confidence intervals.
//
// The two games of a pair share an opening with colours swapped, so they are not independent and
// the pair is the unit of the statistics: its score takes five values (the "pentanomial" of
// Fishtest and fastchess, app/src/matchmaking/elo/elo_pentanomial.cpp), and only the spread of
// these scores counts. Treating the games as independent would misstate the interval.
//
// The plain interval, mean +- 1.96 standard errors, collapses to nothing when every pair ends alike
// and is too narrow near 0 % and 100 %. So Wilson's score interval is used instead (Wilson 1927;
// Brown, Cai & DasGupta 2001, "Interval estimation for a binomial proportion") with an effective
// number of pairs: n / phi, where phi is the variance of the pair scores relative to that of scores
// which are all 0 or 1. For phi alone two virtual pairs are added, one won 2-0 and one lost 0-2.
// For many pairs and a score away from the ends this is the pentanomial interval.
//
// Elo = -400 log10(1/score - 1) has no finite value at 0 and 1; for it the score is kept half a
// game point away from both ends (0.5/games), so that Elo is always a finite number.
//
// Pure functions, safe from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

namespace awale::training {

// Pairs by the points the first player took in both games together: [i] counts those with i/2
// points.
struct PairCounts {
  std::array<std::int64_t, 5> pairs = {};
  std::int64_t total() const;
  friend bool operator==(const PairCounts&, const PairCounts&) = default;
};

// Of the first player. low and high bound the 95 % interval; low <= value <= high, all finite.
struct Rating {
  double points_percent = 0;
  double points_percent_low = 0;
  double points_percent_high = 0;
  double elo = 0;  // how far the first player is above the second
  double elo_low = 0;
  double elo_high = 0;
};

// Wilson's 95 % score interval, low and high end, of a proportion `mean` seen in `n` > 0 trials.
std::pair<double, double> wilson_interval(double mean, double n);

// Elo difference for an expected score in (0, 1).
double elo_from_score(double score);

// The variance of the pair scores relative to that of scores which are all 0 or 1, with the two
// virtual pairs: 1 where games tell as much as pairs, less where a pair's games differ, never 0.
double dispersion(const PairCounts& counts);

// At least one pair.
Rating rate(const PairCounts& counts);

}  // namespace awale::training
