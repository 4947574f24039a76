// Shares and means of graded positions with their 95 % intervals.
//
// Positions of one game resemble each other, so the game, not the position, is the unit of the
// statistics: a *cluster*. Positions that were drawn one by one are clusters of their own.
//
//   share  Wilson's interval (rating.hpp) with n / deff positions. The design effect deff (Kish
//          1965) is the variance of the share between clusters relative to that of independent
//          positions, at least 1; for it alone two virtual clusters of one position are added, one
//          with each answer, so that it stays finite for shares of 0 and 1.
//   mean   mean +- 1.96 standard errors, those of a ratio of cluster sums with the factor
//          G / (G - 1) for G clusters (Cochran 1977, section 9A). No interval from one cluster.
//
// Pure functions, safe from any thread.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace awale::training {

struct Sample {
  double value = 0;  // of a share: 0 or 1
  std::uint32_t cluster = 0;
};

// Not a number where there is nothing to tell it from.
struct Estimate {
  int n = 0;  // positions
  double value = 0;
  double low = 0;
  double high = 0;
};

Estimate estimate_share(const std::vector<Sample>& samples);
Estimate estimate_mean(const std::vector<Sample>& samples);

// {"value", "low", "high", "n"}, null for what is no number.
nlohmann::ordered_json to_json(const Estimate& estimate);

}  // namespace awale::training
