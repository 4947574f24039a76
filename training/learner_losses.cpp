#include "training/learner_losses.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

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

// Huber's loss with its bend at 1.
double huber(float difference) {
  const float size = std::abs(difference);
  return static_cast<double>(size < 1 ? 0.5F * size * size : size - 0.5F);
}

}  // namespace

LossDivisors::LossDivisors(std::span<const TrainingRow* const> batch)
    : rows(std::max(1.0, static_cast<double>(batch.size()))) {
  double policy_mass = 0;
  double wdl_mass = 0;
  for (const TrainingRow* row : batch) {
    policy_mass += std::accumulate(row->policy.begin(), row->policy.end(), 0.0);
    wdl_mass += std::accumulate(row->win_draw_loss.begin(), row->win_draw_loss.end(), 0.0);
  }
  policy = std::max(policy, policy_mass);
  wdl = std::max(wdl, wdl_mass);
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
                const LossDivisors& divisors, int columns, float* heads, LossReport& report) {
  const auto policy_scale = static_cast<float>(config.policy_weight / divisors.policy);
  const auto wdl_scale = static_cast<float>(config.wdl_weight / divisors.wdl);
  const auto margin_scale = static_cast<float>(config.margin_weight / divisors.rows);
  for (const TrainingRow* row : rows) {
    report.policy +=
        cross_entropy(row->policy, row->legal, policy_scale, heads + nn::kPolicyColumn) /
        divisors.policy;
    report.wdl +=
        cross_entropy(row->win_draw_loss, 0b111, wdl_scale, heads + nn::kWdlColumn) / divisors.wdl;
    float& margin = heads[nn::kMarginColumn];
    const float difference = margin - row->margin_seeds / nn::kMarginScaleSeeds;
    report.margin += huber(difference) / divisors.rows;
    margin = margin_scale * std::clamp(difference, -1.0F, 1.0F);
    std::fill(heads + nn::kHeadColumns, heads + columns, 0.0F);
    heads += columns;
  }
}

double weighted_loss(const LearnerConfig& config, const LossReport& report) {
  return config.policy_weight * report.policy + config.wdl_weight * report.wdl +
         config.margin_weight * report.margin;
}

}  // namespace awale::training
