#include "training/truth/head_grade.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace awale::training {
namespace {

constexpr double kLeastProbability = 1e-9;

using Probabilities = std::array<float, 3>;

double brier_score(const Probabilities& probabilities, std::size_t truth) {
  double score = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const double error = static_cast<double>(probabilities[i]) - (i == truth ? 1 : 0);
    score += error * error;
  }
  return score;
}

double log_score(const Probabilities& probabilities, std::size_t truth) {
  return -std::log(std::max(kLeastProbability, static_cast<double>(probabilities[truth])));
}

// Sums, until finish_bins().
void add_to_bins(const Probabilities& probabilities, std::size_t truth, HeadGrade& grade) {
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    const int bin =
        std::clamp(static_cast<int>(probabilities[i] * kReliabilityBins), 0, kReliabilityBins - 1);
    ReliabilityBin& sums = grade.bins[i][static_cast<std::size_t>(bin)];
    ++sums.n;
    sums.predicted += static_cast<double>(probabilities[i]);
    sums.happened += i == truth ? 1 : 0;
  }
}

void finish_bins(int positions, HeadGrade& grade) {
  for (auto& bins : grade.bins) {
    for (auto& bin : bins) {
      const double distance = std::abs(bin.predicted - bin.happened);
      grade.calibration_error += distance / positions / static_cast<double>(grade.bins.size());
      bin.predicted /= bin.n;
      bin.happened /= bin.n;
    }
  }
}

nlohmann::ordered_json bins_json(const std::array<ReliabilityBin, kReliabilityBins>& bins) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& bin : bins) {
    list.push_back({{"n", bin.n}, {"predicted", bin.predicted}, {"happened", bin.happened}});
  }
  return list;
}

}  // namespace

HeadGrade grade_head(std::span<const TruthPosition> positions,
                     std::span<const nn::Evaluation> evaluations) {
  HeadGrade grade;
  std::vector<Sample> brier, logs, errors, biases;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto& truth = positions[i].truth;
    const std::uint32_t cluster = positions[i].cluster;
    if (const auto result = known_result(truth.at_end)) {
      const auto index = static_cast<std::size_t>(1 - *result);
      const auto& probabilities = evaluations[i].win_draw_loss;
      brier.push_back({brier_score(probabilities, index), cluster});
      logs.push_back({log_score(probabilities, index), cluster});
      add_to_bins(probabilities, index, grade);
    }
    if (truth.at_end.exact()) {
      const double bias = static_cast<double>(evaluations[i].margin_seeds) - truth.at_end.low;
      errors.push_back({std::abs(bias), cluster});
      biases.push_back({bias, cluster});
    }
  }
  grade.brier = estimate_mean(brier);
  grade.log_score = estimate_mean(logs);
  finish_bins(grade.brier.n, grade);
  grade.margin_error = estimate_mean(errors);
  grade.margin_bias = estimate_mean(biases);
  return grade;
}

nlohmann::ordered_json to_json(const HeadGrade& grade) {
  return {{"brier", to_json(grade.brier)},
          {"log_score", to_json(grade.log_score)},
          {"calibration_error", grade.calibration_error},
          {"reliability",
           {{"win", bins_json(grade.bins[0])},
            {"draw", bins_json(grade.bins[1])},
            {"loss", bins_json(grade.bins[2])}}},
          {"margin_error_seeds", to_json(grade.margin_error)},
          {"margin_bias_seeds", to_json(grade.margin_bias)}};
}

}  // namespace awale::training
