// How many positions a second the evaluators answer, everything included: encoding, the network,
// the heads. Beside each the bare matrix products of its network, so that it shows what is left to
// gain, and how many times LibTorch it is. And how many positions a second the encoder reads.
//
// GFLOP/s count two operations a multiplication of the dense layers: per row 2 * (2 * blocks * W *
// W
// + 10 * W) with the heads, which the bare products leave out. The first layer counts nothing: it
// is a sum of rows.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "nn/weights.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

struct NnBenchmarkConfig {
  env::RuleSet rules;
  std::vector<nn::NetworkConfig> networks = {{2, 128}, {2, 256}};
  std::vector<std::string> evaluators;  // all there are if empty
  std::vector<int> batches = {1, 4, 16, 64, 256, 1024};
  std::vector<int> threads = {1};
  MeasureConfig measure;

  // Throws InputError(kUsage).
  void validate() const;
};

struct NnMeasurement {
  std::string network;    // "2x128"; empty: an encoder
  std::string evaluator;  // or an encoder
  int batch = 0;          // B
  int threads = 0;
  Rate rows_per_s;
  double gflops = 0;       // 0: an encoder
  double bare_gflops = 0;  // of the same products alone; 0: an encoder
  double ratio = 0;        // times torch; 0: it was not measured
};

// Shows its progress on stderr.
std::vector<NnMeasurement> benchmark_nn(const NnBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<NnMeasurement>& measurements);
nlohmann::json to_json(const std::vector<NnMeasurement>& measurements);

}  // namespace awale::training
