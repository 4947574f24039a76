// How fast self-play searches, beside the bare network: the limit that a perfect search would
// reach.
//
//   self-play  one group of N games a thread, every ply searched with S simulations, as `awale
//              train` plays it (openings, noise, records included)
//   bare       the same evaluator asked again and again for the same N * leaves positions, without
//              a cache
//
// Both run in turns in the same rounds, so that a change of the machine's speed hits both. Rows are
// positions that go through the network; with a cache a simulation often needs none.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator_config.hpp"
#include "nn/weights.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

struct SearchBenchmarkConfig {
  env::RuleSet rules;
  mcts::SearchConfig search;  // simulations: see below
  std::vector<nn::NetworkWeights> networks;
  std::vector<nn::EvaluatorConfig> evaluators;
  std::vector<int> games = {256};        // N, a thread
  std::vector<int> simulations = {100};  // S
  std::vector<int> threads = {1, 2};
  MeasureConfig measure;

  // Throws InputError(kUsage).
  void validate() const;
};

// Rates of all threads together; times are sums over the threads, as shares of self-play's.
struct SearchMeasurement {
  std::string network;    // "2x128"
  std::string evaluator;  // its name
  std::string algorithm;
  int games = 0;
  int simulations = 0;
  int threads = 0;
  Rate rows_per_s;
  Rate bare_rows_per_s;  // of the network alone, encoding not counted
  double sims_per_s = 0;
  double moves_per_s = 0;
  double selection_share = 0;
  double encoding_share = 0;
  double network_share = 0;
  double backup_share = 0;
  double batch_fill = 0;       // rows asked for a batch, of N * leaves
  double cache_hit_share = 0;  // of the rows asked for
  double bytes_a_game = 0;     // of the search: tree and its share of the batch

  // Rows a second inside self-play against the bare network's.
  double ratio() const { return rows_per_s.median / bare_rows_per_s.median; }
};

// Shows its progress on stderr.
std::vector<SearchMeasurement> benchmark_search(const SearchBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<SearchMeasurement>& measurements);
nlohmann::json to_json(const std::vector<SearchMeasurement>& measurements);

}  // namespace awale::training
