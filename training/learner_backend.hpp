// What a Learner is made of: one of these, chosen by LearnerConfig::kind. They compute the same;
// learner.hpp says what.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "env/rules.hpp"
#include "training/learner.hpp"

namespace awale::training {

class LearnerBackend {
 public:
  virtual ~LearnerBackend() = default;
  virtual LossReport step(std::span<const TrainingRow* const> rows, double rate) = 0;
  virtual LossReport evaluate(std::span<const TrainingRow* const> rows) = 0;
  virtual LearnerState state() const = 0;
  virtual nn::NetworkWeights averaged() const = 0;
  virtual std::uint64_t steps() const = 0;
};

// With LibTorch's autograd: the reference.
std::unique_ptr<LearnerBackend> make_torch_learner(const LearnerConfig& config,
                                                   const std::vector<env::RuleSet>& rules,
                                                   const LearnerState& state);
// Forward and backward passes by hand, without LibTorch; bfloat16: only where
// find_learner_kernel(true).
std::unique_ptr<LearnerBackend> make_cpu_learner(const LearnerConfig& config,
                                                 const std::vector<env::RuleSet>& rules,
                                                 const LearnerState& state, bool bfloat16);

// Throws InputError(kDiverged) unless `value` is a number; `what`: "the loss".
void require_finite(const char* what, double value);

// The decay of the averaged weights in the step that is the `steps`th: early on the average of few
// steps is dominated by the initial weights; so weigh it less (as TensorFlow's
// ExponentialMovingAverage does with num_updates).
double average_decay(const LearnerConfig& config, std::uint64_t steps);

}  // namespace awale::training
