// Fits the weights of the minimax baseline's tuned evaluation (mcts/baseline/evaluation.hpp) to the
// outcomes of games that it plays against itself.
//
// Every game begins with random plies; then both sides search to a fixed depth. For each position
// from there on its terms x and the outcome y for its player to move (1, 1/2, 0) are a sample.
// The weights w make
//   -sum of y log p + (1 - y) log(1 - p),   p = 1 / (1 + exp(-w x)),
// the smallest (Österlund's "Texel" tuning, here with the exact minimum, by Newton's method), and
// are then scaled so that a seed in store is worth 100.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "env/rules.hpp"
#include "mcts/baseline/minimax.hpp"

namespace awale::training {

struct TuningConfig {
  env::RuleSet rules;
  int games = 20000;
  int opening_plies = 10;  // random plies: 0..this, drawn for each game
  mcts::MinimaxConfig search;
  std::uint64_t seed = 1;
  int threads = 1;  // the result does not depend on it

  // Throws InputError(kUsage).
  void validate() const;
};

struct TuningResult {
  mcts::Terms weights = {};                        // hundredths of a seed in store
  std::array<double, mcts::kTerms> log_odds = {};  // as fitted, the same before scaling
  std::int64_t positions = 0;
  double loss = 0;         // mean over the positions, in nats
  double stores_loss = 0;  // the same of the best weight for the stores alone
};

// Shows its progress on stderr.
TuningResult tune_minimax(const TuningConfig& config);

std::string to_text(const TuningResult& result);
nlohmann::json to_json(const TuningResult& result);

}  // namespace awale::training
