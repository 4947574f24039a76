// How fast a single game is searched on one and more threads.
//
//   shared  BatchedSearch; the threads share each of its batches
//   split   SplitSearch: the threads share the moves at the root (Gumbel only)
//
// Both and every number of threads run in turns in the same rounds, so that a change of the
// machine's speed hits all. They search the same positions of random games, middle games mostly.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator_config.hpp"
#include "nn/weights.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

struct GameBenchmarkConfig {
  env::RuleSet rules;
  mcts::SearchConfig search;  // simulations: see below
  std::vector<nn::NetworkWeights> networks;
  nn::EvaluatorConfig evaluator;
  std::vector<int> simulations = {800, 10000};  // S
  std::vector<int> threads = {1, 2};
  MeasureConfig measure;

  // Throws InputError(kUsage).
  void validate() const;
};

struct GameMeasurement {
  std::string search;     // "shared", "split"
  std::string evaluator;  // its name, without threads
  int simulations = 0;
  int leaves = 0;
  int threads = 0;
  Rate sims_per_s;
};

// Shows its progress on stderr.
std::vector<GameMeasurement> benchmark_game(const GameBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<GameMeasurement>& measurements);
nlohmann::json to_json(const std::vector<GameMeasurement>& measurements);

}  // namespace awale::training
