// The losses of rows and their gradients with respect to the heads' outputs, in float32; the
// formulas are those of learner.hpp.
#pragma once

#include <span>

#include "training/config.hpp"
#include "training/learner.hpp"
#include "training/learner_kernel.hpp"
#include "training/targets.hpp"

namespace awale::training {

// What the sums over a batch are divided by. A batch without targets of a kind has the divisor 1.
struct LossDivisors {
  explicit LossDivisors(std::span<const TrainingRow* const> rows);

  double policy = 1;  // rows with a policy target
  double wdl = 1;
  double rows = 1;
  double plies = 1;  // rows that know the plies left
};

// Whether a step computes the auxiliary heads.
bool learns_auxiliary(const LearnerConfig& config, const nn::NetworkConfig& network);

// The policy targets' mean entropy, nats.
double policy_target_entropy(std::span<const TrainingRow* const> rows,
                             const LossDivisors& divisors);

// Adds the rows' shares of the mean losses to `report`. heads: [rows][columns], raw outputs; they
// become the gradient of the weighted loss. Those of auxiliary heads begin at kAuxiliaryColumn, if
// there are so many columns.
void add_losses(std::span<const TrainingRow* const> rows, const LearnerConfig& config,
                const LossDivisors& divisors, const LearnerKernel& kernel, int columns,
                float* heads, LossReport& report);

// The weighted sum that is minimised.
double weighted_loss(const LearnerConfig& config, const LossReport& report);

}  // namespace awale::training
