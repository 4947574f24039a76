#include "training/learner.hpp"

#include <torch/torch.h>

#include <cmath>
#include <sstream>
#include <string>
#include <type_traits>

#include "env/error.hpp"
#include "nn/encoder.hpp"
#include "nn/torch_network.hpp"

namespace awale::training {
namespace {

// One batch as tensors; buffers are kept from step to step.
struct Batch {
  torch::Tensor features;  // [B, K] int32
  torch::Tensor illegal;   // [B, A] bool
  torch::Tensor policy;    // [B, A]
  torch::Tensor wdl;       // [B, 3]
  torch::Tensor margin;    // [B], divided by kMarginScaleSeeds
};

Batch make_batch(const env::RuleSet& rules, std::span<const TrainingRow* const> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch;
  batch.features = torch::empty({count, nn::kActiveFeatures}, torch::kInt32);
  batch.illegal = torch::empty({count, env::kMoves}, torch::kBool);
  batch.policy = torch::empty({count, env::kMoves}, torch::kFloat32);
  batch.wdl = torch::empty({count, 3}, torch::kFloat32);
  batch.margin = torch::empty({count}, torch::kFloat32);
  std::vector<env::Position> positions;
  positions.reserve(rows.size());
  auto* illegal = batch.illegal.data_ptr<bool>();
  auto* policy = batch.policy.data_ptr<float>();
  auto* wdl = batch.wdl.data_ptr<float>();
  auto* margin = batch.margin.data_ptr<float>();
  for (const auto* row : rows) {
    positions.push_back(row->position);
    for (int move = 0; move < env::kMoves; ++move)
      *illegal++ = (row->legal >> move & 1) == 0;
    policy = std::copy(row->policy.begin(), row->policy.end(), policy);
    wdl = std::copy(row->win_draw_loss.begin(), row->win_draw_loss.end(), wdl);
    *margin++ = row->margin_seeds / nn::kMarginScaleSeeds;
  }
  nn::encode(rules, positions,
             {batch.features.data_ptr<std::int32_t>(), rows.size() * nn::kActiveFeatures});
  return batch;
}

struct Losses {
  torch::Tensor policy;
  torch::Tensor wdl;
  torch::Tensor margin;
};

// Cross entropy of soft targets, mean over the rows that have one: those whose targets sum to 1
// rather than 0.
torch::Tensor cross_entropy(const torch::Tensor& logits, const torch::Tensor& targets) {
  return -(torch::log_softmax(logits, 1) * targets).sum() / targets.sum().clamp_min(1);
}

Losses losses(const torch::Tensor& heads, const Batch& batch) {
  // Illegal moves get no probability; -1e9 rather than -infinity, which times a target of 0 is NaN.
  const auto policy_logits =
      heads.slice(1, nn::kPolicyColumn, nn::kWdlColumn).masked_fill(batch.illegal, -1e9);
  return {cross_entropy(policy_logits, batch.policy),
          cross_entropy(heads.slice(1, nn::kWdlColumn, nn::kMarginColumn), batch.wdl),
          torch::smooth_l1_loss(heads.select(1, nn::kMarginColumn), batch.margin)};
}

double target_entropy(const torch::Tensor& targets) {
  return (-torch::xlogy(targets, targets).sum() / targets.sum().clamp_min(1)).item<double>();
}

// LibTorch names a parameter's optimizer state by the tensor's address: as text in 1.x, as a
// pointer in 2.x.
template <typename Key>
Key state_key(c10::TensorImpl* tensor) {
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << tensor;
    return text.str();
  } else {
    return tensor;
  }
}

torch::optim::AdamWParamState& moments(torch::optim::AdamW& optimizer,
                                       const torch::Tensor& parameter) {
  auto& states = optimizer.state();
  using Key = std::remove_cvref_t<decltype(states)>::key_type;
  auto& state = states[state_key<Key>(parameter.unsafeGetTensorImpl())];
  if (!state) state = std::make_unique<torch::optim::AdamWParamState>();
  return static_cast<torch::optim::AdamWParamState&>(*state);
}

void require_finite(const std::string& what, double value) {
  if (std::isfinite(value)) return;
  throw InputError(
      ErrorKind::kDiverged,
      "training diverged: " + what +
          " is not a finite number; the last checkpoint is "
          "sound: lower learner.learning_rate or learner.gradient_clip and go on from it");
}

}  // namespace

LearnerState initial_learner_state(const nn::NetworkConfig& network, std::uint64_t seed) {
  LearnerState state;
  state.weights = nn::initial_weights(network, seed);
  state.averaged = state.weights;
  state.first_moment = state.weights;
  for (auto& tensor : state.first_moment.tensors) {
    std::fill(tensor.values.begin(), tensor.values.end(), 0.0F);
  }
  state.second_moment = state.first_moment;
  return state;
}

struct Learner::Impl {
  Impl(const LearnerConfig& learner_config, const env::RuleSet& rule_set, const LearnerState& state)
      : config(learner_config),
        rules(rule_set),
        steps(state.steps),
        network(nn::to_torch(state.weights)),
        averaged(nn::to_torch(state.averaged)),
        optimizer(network->parameters(), torch::optim::AdamWOptions(learner_config.learning_rate)
                                             .betas({learner_config.beta1, learner_config.beta2})
                                             .weight_decay(learner_config.weight_decay)) {
    restore_moments(nn::to_torch(state.first_moment)->parameters(),
                    nn::to_torch(state.second_moment)->parameters());
  }

  void restore_moments(const std::vector<torch::Tensor>& first,
                       const std::vector<torch::Tensor>& second) {
    const auto parameters = network->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      auto& state = moments(optimizer, parameters[i]);
      state.step(static_cast<std::int64_t>(steps));
      state.exp_avg(first[i].detach().clone());
      state.exp_avg_sq(second[i].detach().clone());
    }
  }

  // One of the two moments, in the shapes of the weights.
  nn::NetworkWeights moment_weights(bool second) {
    auto copy = nn::to_torch(nn::to_weights(network));
    const torch::NoGradGuard no_gradient;
    const auto targets = copy->parameters();
    const auto parameters = network->parameters();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      auto& state = moments(optimizer, parameters[i]);
      targets[i].copy_(second ? state.exp_avg_sq() : state.exp_avg());
    }
    return nn::to_weights(copy);
  }

  void average() {
    const torch::NoGradGuard no_gradient;
    const auto sources = network->parameters();
    const auto targets = averaged->parameters();
    // Early on the average of few steps is dominated by the initial weights; so weigh it less
    // (as TensorFlow's ExponentialMovingAverage does with num_updates).
    const double decay = std::min(
        config.ema_decay, (1.0 + static_cast<double>(steps)) / (10.0 + static_cast<double>(steps)));
    for (std::size_t i = 0; i < sources.size(); ++i)
      targets[i].lerp_(sources[i], 1.0 - decay);
  }

  LearnerConfig config;
  env::RuleSet rules;
  std::uint64_t steps;
  nn::TorchNetwork network;
  nn::TorchNetwork averaged;
  torch::optim::AdamW optimizer;
};

Learner::Learner(const LearnerConfig& config, const env::RuleSet& rules, const LearnerState& state)
    : impl_(std::make_unique<Impl>(config, rules, state)) {}

Learner::~Learner() = default;

LossReport Learner::step(std::span<const TrainingRow* const> rows, double rate) {
  auto& [config, rules, steps, network, averaged, optimizer] = *impl_;
  at::set_num_threads(1);
  const auto batch = make_batch(rules, rows);
  for (auto& group : optimizer.param_groups()) {
    static_cast<torch::optim::AdamWOptions&>(group.options()).lr(rate);
  }
  optimizer.zero_grad();
  const auto terms = losses(network->forward(batch.features), batch);
  const auto loss = config.policy_weight * terms.policy + config.wdl_weight * terms.wdl +
                    config.margin_weight * terms.margin;
  LossReport report{terms.policy.item<double>(), target_entropy(batch.policy),
                    terms.wdl.item<double>(), terms.margin.item<double>(), 0};
  require_finite("the loss", loss.item<double>());
  loss.backward();
  report.gradient_norm =
      torch::nn::utils::clip_grad_norm_(network->parameters(), config.gradient_clip);
  require_finite("the gradient", report.gradient_norm);
  optimizer.step();
  ++steps;
  impl_->average();
  return report;
}

LearnerState Learner::state() const {
  return {impl_->steps, nn::to_weights(impl_->network), averaged(), impl_->moment_weights(false),
          impl_->moment_weights(true)};
}

nn::NetworkWeights Learner::averaged() const {
  return nn::to_weights(impl_->averaged);
}

std::uint64_t Learner::steps() const {
  return impl_->steps;
}

}  // namespace awale::training
