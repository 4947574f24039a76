#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/learner.hpp"

namespace awale::training {

double learning_rate(const LearnerConfig& config, std::uint64_t step, double decay_progress) {
  const double warmup =
      config.warmup_steps == 0
          ? 1.0
          : std::min(1.0, static_cast<double>(step + 1) / static_cast<double>(config.warmup_steps));
  const double decay =
      0.5 * (1.0 + std::cos(std::numbers::pi * std::clamp(decay_progress, 0.0, 1.0)));
  return config.learning_rate * warmup * decay;
}

}  // namespace awale::training
