// How many moves a second the environment plays: random games, the choice of each move and the
// restart of ended games included, by every way there is to play many games.
//
//   naive     one `Game` object after another, as a program without BatchEnv would
//   scalar    one `Board` after another, as the search does
//   portable, avx2, avx512: BatchEnv with that kernel
//
// All choose moves with the same generator, so they play the same games. Beside them the parts of
// the fastest kernel's step and a bare copy of the bytes it touches: what bounds it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

struct EnvBenchmarkConfig {
  env::RuleSet rules;  // without repetition with repetition_occurrence = 0; with it as they are, or
                       // with the 2nd occurrence where they have none
  std::vector<std::string> kernels;  // all there are if empty
  std::vector<int> games = {1, 64, 4096, 65536};
  std::vector<int> threads = {1, 2};
  std::vector<int> repetition = {0, 1};  // whether repetitions end games
  MeasureConfig measure;

  // Throws InputError(kUsage).
  void validate() const;
};

struct EnvMeasurement {
  std::string kernel;
  int games = 0;  // N, a thread
  int threads = 0;
  bool repetition = false;
  Rate moves_per_s;
};

// Shows its progress on stderr.
std::vector<EnvMeasurement> benchmark_env(const EnvBenchmarkConfig& config);

// A table for people, with ratios; a list of objects for programs.
std::string to_text(const std::vector<EnvMeasurement>& measurements);
nlohmann::json to_json(const std::vector<EnvMeasurement>& measurements);

}  // namespace awale::training
