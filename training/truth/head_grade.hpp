// How far a network's own view of positions is from the truth: its win/draw/loss head where the
// result is known, its margin head where the final margin is.
//
// The truth is that of best play. A network learns the results of games that are not played so
// well; what it would be right to say of those is not what is compared here.
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <span>

#include "nn/evaluator.hpp"
#include "training/truth/estimate.hpp"
#include "training/truth/positions.hpp"

namespace awale::training {

inline constexpr int kReliabilityBins = 10;

// Probabilities in [i/10, (i+1)/10), 1 in the last.
struct ReliabilityBin {
  int n = 0;
  double predicted = 0;  // mean probability, not a number without positions
  double happened = 0;   // share of the positions that were so
};

struct HeadGrade {
  // Over the positions with a known result. For probabilities p of win, draw, loss and y = 1 for
  // the true one, else 0: Brier score sum (p - y)^2, 0..2 (Brier 1950), 2/3 for thirds; log score
  // -ln p of the true one, p at least 1e-9, 1.10 for thirds.
  Estimate brier;
  Estimate log_score;
  // By class (win, draw, loss). The error is classwise: the mean over classes of the sum over bins
  // of n / positions * |predicted - happened| (Kull et al. 2019, "Beyond temperature scaling").
  std::array<std::array<ReliabilityBin, kReliabilityBins>, 3> bins = {};
  double calibration_error = 0;  // not a number without positions

  // Over the positions with an exact final margin, in seeds: mean of |predicted - true| and of
  // predicted - true.
  Estimate margin_error;
  Estimate margin_bias;
};

// evaluations[i] belongs to positions[i].
HeadGrade grade_head(std::span<const TruthPosition> positions,
                     std::span<const nn::Evaluation> evaluations);

// Keys: brier, log_score, calibration_error, reliability {win, draw, loss: [{n, predicted,
// happened}]}, margin_error_seeds, margin_bias_seeds.
nlohmann::ordered_json to_json(const HeadGrade& grade);

}  // namespace awale::training
