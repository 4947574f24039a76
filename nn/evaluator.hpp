// What a search asks of a network: positions in, policy and value out. No LibTorch here.
//
// Evaluators wrap each other (cache, endgame table, network), so a search never knows which one it
// has. Encoding to features happens inside the evaluator that needs features.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "env/board.hpp"
#include "env/game.hpp"
#include "env/rules.hpp"

namespace awale::nn {

// One row of an evaluation, seen from the player to move.
struct Evaluation {
  std::array<float, env::kMoves> policy_logits = {};  // raw; illegal moves are not masked
  std::array<float, 3> win_draw_loss = {};            // probabilities, sum 1, of the mover
  float margin_seeds = 0;  // expected final seeds of the mover minus the opponent's
};

// What an evaluator has done since it was built.
struct EvaluatorStats {
  std::uint64_t rows = 0;        // that went through the network
  std::uint64_t cache_hits = 0;  // rows that did not, because they were known
  double encoding_seconds = 0;   // positions to features
  double network_seconds = 0;    // features to evaluations
};

class Evaluator {
 public:
  virtual ~Evaluator() = default;

  // Fills evaluations[i] from positions[i], B = positions.size() = evaluations.size() rows, B >= 0.
  // No position is terminal under `rules`. A row's result must not depend on the other rows.
  // Not thread-safe: one evaluator a thread (implementations share weights, not buffers).
  virtual void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                        std::span<Evaluation> evaluations) = 0;

  // For logs and provenance, e.g. "torch:cpu 2x128".
  virtual std::string name() const = 0;

  // Zeros from evaluators that are no network.
  virtual EvaluatorStats stats() const { return {}; }
};

}  // namespace awale::nn
