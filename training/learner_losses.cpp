#include "training/learner_losses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "training/learner_layout.hpp"

namespace awale::training {
namespace {

// Cross entropy of a soft target with the softmax of the logits that `allowed` has a bit of;
// `logits` become its gradient times `scale`. A target that is 0 everywhere has loss 0.
template <std::size_t kCount>
double cross_entropy(const std::array<float, kCount>& target, unsigned allowed, float scale,
                     float* logits) {
  float largest = -HUGE_VALF;
  for (std::size_t i = 0; i < kCount; ++i) {
    if ((allowed >> i & 1) != 0) largest = std::max(largest, logits[i]);
  }
  std::array<float, kCount> exponentials = {};
  float sum = 0;
  float mass = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    if ((allowed >> i & 1) != 0) exponentials[i] = std::exp(logits[i] - largest);
    sum += exponentials[i];
    mass += target[i];
  }
  const float log_sum = std::log(sum) + largest;
  double loss = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    if (target[i] != 0) loss += static_cast<double>(target[i] * (log_sum - logits[i]));
    logits[i] = scale * (mass * exponentials[i] / sum - target[i]);
  }
  return loss;
}

// Huber's loss with its bend at 1; `output` becomes its gradient times `scale`.
double huber(float target, float scale, float& output) {
  const float difference = output - target;
  const float size = std::abs(difference);
  output = scale * std::clamp(difference, -1.0F, 1.0F);
  return static_cast<double>(size < 1 ? 0.5F * size * size : size - 0.5F);
}

// outputs: of the auxiliary heads, padded; they become the gradient.
void add_auxiliary_losses(const TrainingRow& row, const LearnerConfig& config,
                          const LossDivisors& divisors, const LearnerKernel& kernel, float* outputs,
                          LossReport& report) {
  const float plies = outputs[nn::kPliesColumn];
  const auto scale = static_cast<float>(config.margin_distribution_weight / divisors.rows);
  report.margin_distribution += static_cast<double>(kernel.margin_cross_entropy(
                                    row.final_margin_seeds + nn::kLargestMargin, scale, outputs)) /
                                divisors.rows;
  if (row.plies_left == 0) return;
  float& gradient = outputs[nn::kPliesColumn];
  gradient = plies;
  report.plies_left +=
      huber(static_cast<float>(row.plies_left) / nn::kPliesScale,
            static_cast<float>(config.plies_left_weight / divisors.plies), gradient) /
      divisors.plies;
}

}  // namespace

bool learns_auxiliary(const LearnerConfig& config, const nn::NetworkConfig& network) {
  return network.auxiliary &&
         (config.margin_distribution_weight > 0 || config.plies_left_weight > 0);
}

LossDivisors::LossDivisors(std::span<const TrainingRow* const> batch)
    : rows(std::max(1.0, static_cast<double>(batch.size()))) {
  double policy_mass = 0;
  double wdl_mass = 0;
  double plies_rows = 0;
  for (const TrainingRow* row : batch) {
    policy_mass += std::accumulate(row->policy.begin(), row->policy.end(), 0.0);
    if (row->plies_left > 0) ++plies_rows;
    wdl_mass += std::accumulate(row->win_draw_loss.begin(), row->win_draw_loss.end(), 0.0);
  }
  policy = std::max(policy, policy_mass);
  wdl = std::max(wdl, wdl_mass);
  plies = std::max(plies, plies_rows);
}

double policy_target_entropy(std::span<const TrainingRow* const> rows,
                             const LossDivisors& divisors) {
  double sum = 0;
  for (const TrainingRow* row : rows) {
    for (const float share : row->policy) {
      if (share != 0) sum -= static_cast<double>(share * std::log(share));
    }
  }
  return sum / divisors.policy;
}

void add_losses(std::span<const TrainingRow* const> rows, const LearnerConfig& config,
                const LossDivisors& divisors, const LearnerKernel& kernel, int columns,
                float* heads, LossReport& report) {
  const auto policy_scale = static_cast<float>(config.policy_weight / divisors.policy);
  const auto wdl_scale = static_cast<float>(config.wdl_weight / divisors.wdl);
  const auto margin_scale = static_cast<float>(config.margin_weight / divisors.rows);
  for (const TrainingRow* row : rows) {
    report.policy +=
        cross_entropy(row->policy, row->legal, policy_scale, heads + nn::kPolicyColumn) /
        divisors.policy;
    report.wdl +=
        cross_entropy(row->win_draw_loss, 0b111, wdl_scale, heads + nn::kWdlColumn) / divisors.wdl;
    report.margin +=
        huber(row->margin_seeds / nn::kMarginScaleSeeds, margin_scale, heads[nn::kMarginColumn]) /
        divisors.rows;
    std::fill(heads + nn::kHeadColumns, heads + kAuxiliaryColumn, 0.0F);
    if (columns > kAuxiliaryColumn)
      add_auxiliary_losses(*row, config, divisors, kernel, heads + kAuxiliaryColumn, report);
    heads += columns;
  }
}

double weighted_loss(const LearnerConfig& config, const LossReport& report) {
  return config.policy_weight * report.policy + config.wdl_weight * report.wdl +
         config.margin_weight * report.margin +
         config.margin_distribution_weight * report.margin_distribution +
         config.plies_left_weight * report.plies_left;
}

}  // namespace awale::training
