#include "training/rating.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/error.hpp"

namespace awale::training {
namespace {

// The 97.5 % quantile of the normal distribution.
constexpr double kZ = 1.959963984540054;

struct Moments {
  double mean = 0;
  double variance = 0;
};

// Of the pair scores, scaled to [0, 1]. `weights` count pairs as in PairCounts.
Moments moments(const std::array<double, 5>& weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Moments result;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    result.mean += weights[i] / total * static_cast<double>(i) / 4;
  }
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double deviation = static_cast<double>(i) / 4 - result.mean;
    result.variance += weights[i] / total * deviation * deviation;
  }
  return result;
}

std::array<double, 5> weights_of(const PairCounts& counts) {
  std::array<double, 5> weights = {};
  std::copy(counts.pairs.begin(), counts.pairs.end(), weights.begin());
  return weights;
}

}  // namespace

std::int64_t PairCounts::total() const {
  return std::accumulate(pairs.begin(), pairs.end(), std::int64_t{0});
}

std::pair<double, double> wilson_interval(double mean, double n) {
  const double z2_n = kZ * kZ / n;
  const double centre = (mean + z2_n / 2) / (1 + z2_n);
  const double half = kZ * std::sqrt(mean * (1 - mean) / n + z2_n / (4 * n)) / (1 + z2_n);
  // The ends are exact in theory; rounding must not push them past the mean.
  return {std::clamp(centre - half, 0.0, mean), std::clamp(centre + half, mean, 1.0)};
}

double elo_from_score(double score) {
  return -400 * std::log10(1 / score - 1);
}

double dispersion(const PairCounts& counts) {
  auto weights = weights_of(counts);
  weights.front() += 1;
  weights.back() += 1;
  const Moments regular = moments(weights);
  return regular.variance / (regular.mean * (1 - regular.mean));
}

Rating rate(const PairCounts& counts) {
  AWALE_CHECK(counts.total() >= 1, "no pairs to rate");
  const double mean = moments(weights_of(counts)).mean;
  const auto pairs = static_cast<double>(counts.total());
  const auto [low, high] = wilson_interval(mean, pairs / dispersion(counts));

  const double half_point = 0.5 / (2 * pairs);
  const auto finite_elo = [half_point](double score) {
    return elo_from_score(std::clamp(score, half_point, 1 - half_point));
  };
  return {100 * mean, 100 * low, 100 * high, finite_elo(mean), finite_elo(low), finite_elo(high)};
}

}  // namespace awale::training
