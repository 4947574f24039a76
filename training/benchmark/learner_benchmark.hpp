// How long a step of the learner takes, by every kind of learner. The kinds take turns, each on one
// thread.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "nn/weights.hpp"
#include "training/benchmark/measure.hpp"
#include "training/config.hpp"

namespace awale::training {

struct LearnerBenchmarkConfig {
  env::RuleSet rules;
  std::vector<nn::NetworkConfig> networks = {{2, 128}, {2, 256}};
  LearnerConfig learner;  // all but the kind
  MeasureConfig measure;

  // Throws InputError(kUsage).
  void validate() const;
};

struct LearnerMeasurement {
  std::string network;  // "2x128"
  std::string kind;     // "torch", "cpu-fp32", ...
  int batch_rows = 0;
  double step_ms = 0;  // the median of the rounds
  double fastest_ms = 0;
  double slowest_ms = 0;
  double ratio = 0;  // times as fast as torch
};

// Shows its progress on stderr.
std::vector<LearnerMeasurement> benchmark_learner(const LearnerBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<LearnerMeasurement>& measurements);
nlohmann::json to_json(const std::vector<LearnerMeasurement>& measurements);

}  // namespace awale::training
