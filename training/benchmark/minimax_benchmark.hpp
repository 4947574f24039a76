// How fast the minimax baseline searches, beside a plain loop that only plays moves.
//
//   moves   every sequence of moves to a depth, played on boards one by one (a perft that counts
//           each position): what visiting a position costs without thinking
//   seeds   the search with each evaluation, from positions of random games
//   tuned
//   start   the search from the start position
//
// All run in turns in the same rounds, so that a change of the machine's speed hits all.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

struct MinimaxBenchmarkConfig {
  env::RuleSet rules;
  int depth = 13;  // plies
  MeasureConfig measure;
};

struct MinimaxMeasurement {
  std::string name;        // "moves", "seeds", "tuned", "seeds from the start", ...
  int searches = 0;        // different positions
  std::int64_t nodes = 0;  // of all these searches together
  Rate nodes_per_s;
  double ratio = 1;  // to "moves"

  double ms_a_search() const {
    return 1e3 * static_cast<double>(nodes) / nodes_per_s.median / searches;
  }
};

// Shows its progress on stderr. Throws InputError(kUsage).
std::vector<MinimaxMeasurement> benchmark_minimax(const MinimaxBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<MinimaxMeasurement>& measurements);
nlohmann::json to_json(const std::vector<MinimaxMeasurement>& measurements);

}  // namespace awale::training
