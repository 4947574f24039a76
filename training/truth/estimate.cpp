#include "training/truth/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>

#include "training/rating.hpp"

namespace awale::training {
namespace {

constexpr double kZ = 1.959963984540054;  // the 97.5 % quantile of the normal distribution
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

struct Cluster {
  double sum = 0;
  double positions = 0;
};

std::map<std::uint32_t, Cluster> clusters_of(const std::vector<Sample>& samples) {
  std::map<std::uint32_t, Cluster> clusters;
  for (const auto& sample : samples) {
    clusters[sample.cluster].sum += sample.value;
    ++clusters[sample.cluster].positions;
  }
  return clusters;
}

double mean_of(const std::vector<Sample>& samples) {
  double sum = 0;
  for (const auto& sample : samples)
    sum += sample.value;
  return sum / static_cast<double>(samples.size());
}

// Sum over the clusters of (their sum - mean * their positions)^2.
double squares_between(const std::map<std::uint32_t, Cluster>& clusters, double mean) {
  double squares = 0;
  for (const auto& [name, cluster] : clusters)
    squares += std::pow(cluster.sum - mean * cluster.positions, 2);
  return squares;
}

double design_effect(const std::vector<Sample>& samples) {
  const auto n = static_cast<double>(samples.size()) + 2;
  const double mean = (mean_of(samples) * (n - 2) + 1) / n;
  const double between =
      squares_between(clusters_of(samples), mean) + std::pow(mean, 2) + std::pow(1 - mean, 2);
  return std::max(1.0, between / (n * mean * (1 - mean)));
}

}  // namespace

Estimate estimate_share(const std::vector<Sample>& samples) {
  const auto n = static_cast<int>(samples.size());
  if (n == 0) return {0, kNothing, kNothing, kNothing};
  const double share = mean_of(samples);
  const auto [low, high] = wilson_interval(share, n / design_effect(samples));
  return {n, share, low, high};
}

Estimate estimate_mean(const std::vector<Sample>& samples) {
  const auto n = static_cast<int>(samples.size());
  if (n == 0) return {0, kNothing, kNothing, kNothing};
  const double mean = mean_of(samples);
  const auto clusters = clusters_of(samples);
  const auto count = static_cast<double>(clusters.size());
  if (clusters.size() < 2) return {n, mean, kNothing, kNothing};
  const double error = std::sqrt(squares_between(clusters, mean) * count / (count - 1)) / n;
  return {n, mean, mean - kZ * error, mean + kZ * error};
}

nlohmann::ordered_json to_json(const Estimate& estimate) {
  return {
      {"value", estimate.value}, {"low", estimate.low}, {"high", estimate.high}, {"n", estimate.n}};
}

}  // namespace awale::training
