#include "training/learner_backend.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "env/error.hpp"

namespace awale::training {

void require_finite(const char* what, double value) {
  if (std::isfinite(value)) return;
  std::string text = "training diverged: ";
  text += what;
  text +=
      " is not a finite number; the last checkpoint is sound: lower learner.learning_rate or "
      "learner.gradient_clip and go on from it";
  throw InputError(ErrorKind::kDiverged, text);
}

double average_decay(const LearnerConfig& config, std::uint64_t steps) {
  const auto count = static_cast<double>(steps);
  return std::min(config.ema_decay, (1.0 + count) / (10.0 + count));
}

}  // namespace awale::training
