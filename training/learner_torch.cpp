// The learner as LibTorch computes it, with gradients by autograd: the reference for the one by
// hand.
#include <torch/torch.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <type_traits>

#include "env/error.hpp"
#include "nn/encoder.hpp"
#include "nn/torch_network.hpp"
#include "training/learner_backend.hpp"

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

// Rows that follow each other and are played by the same rules are encoded at once.
void encode(const std::vector<env::RuleSet>& rules, std::span<const TrainingRow* const> rows,
            std::int32_t* indices) {
  std::vector<env::Position> positions;
  while (!rows.empty()) {
    const auto* first = rows.front();
    AWALE_CHECK(first->rules < rules.size(), int{first->rules});
    const auto end = std::find_if(rows.begin(), rows.end(), [first](const TrainingRow* row) {
      return row->rules != first->rules;
    });
    const auto run = rows.first(static_cast<std::size_t>(end - rows.begin()));
    positions.clear();
    for (const auto* row : run)
      positions.push_back(row->position);
    const std::size_t size = run.size() * nn::kActiveFeatures;
    nn::encode(rules[first->rules], positions, {indices, size});
    indices += size;
    rows = rows.subspan(run.size());
  }
}

Batch make_batch(const std::vector<env::RuleSet>& rules, std::span<const TrainingRow* const> rows) {
  const auto count = static_cast<std::int64_t>(rows.size());
  Batch batch;
  batch.features = torch::empty({count, nn::kActiveFeatures}, torch::kInt32);
  batch.illegal = torch::empty({count, env::kMoves}, torch::kBool);
  batch.policy = torch::empty({count, env::kMoves}, torch::kFloat32);
  batch.wdl = torch::empty({count, 3}, torch::kFloat32);
  batch.margin = torch::empty({count}, torch::kFloat32);
  auto* illegal = batch.illegal.data_ptr<bool>();
  auto* policy = batch.policy.data_ptr<float>();
  auto* wdl = batch.wdl.data_ptr<float>();
  auto* margin = batch.margin.data_ptr<float>();
  for (const auto* row : rows) {
    for (int move = 0; move < env::kMoves; ++move)
      *illegal++ = (row->legal >> move & 1) == 0;
    policy = std::copy(row->policy.begin(), row->policy.end(), policy);
    wdl = std::copy(row->win_draw_loss.begin(), row->win_draw_loss.end(), wdl);
    *margin++ = row->margin_seeds / nn::kMarginScaleSeeds;
  }
  encode(rules, rows, batch.features.data_ptr<std::int32_t>());
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

class TorchLearner final : public LearnerBackend {
 public:
  TorchLearner(const LearnerConfig& config, const std::vector<env::RuleSet>& rules,
               const LearnerState& state)
      : config_(config),
        rules_(rules),
        steps_(state.steps),
        network_(nn::to_torch(state.weights)),
        averaged_(nn::to_torch(state.averaged)),
        optimizer_(network_->parameters(), torch::optim::AdamWOptions(config.learning_rate)
                                               .betas({config.beta1, config.beta2})
                                               .weight_decay(config.weight_decay)) {
    restore_moments(nn::to_torch(state.first_moment)->parameters(),
                    nn::to_torch(state.second_moment)->parameters());
  }

  LossReport step(std::span<const TrainingRow* const> rows, double rate) override {
    at::set_num_threads(1);
    const auto batch = make_batch(rules_, rows);
    for (auto& group : optimizer_.param_groups()) {
      static_cast<torch::optim::AdamWOptions&>(group.options()).lr(rate);
    }
    optimizer_.zero_grad();
    const auto terms = losses(network_->forward(batch.features), batch);
    const auto loss = weighted(terms);
    LossReport report = report_of(terms, batch);
    require_finite("the loss", loss.item<double>());
    loss.backward();
    report.gradient_norm =
        torch::nn::utils::clip_grad_norm_(network_->parameters(), config_.gradient_clip);
    require_finite("the gradient", report.gradient_norm);
    optimizer_.step();
    ++steps_;
    average();
    return report;
  }

  LossReport evaluate(std::span<const TrainingRow* const> rows) override {
    const torch::NoGradGuard no_gradient;
    at::set_num_threads(1);
    const auto batch = make_batch(rules_, rows);
    return report_of(losses(averaged_->forward(batch.features), batch), batch);
  }

  LearnerState state() const override {
    return {steps_, nn::to_weights(network_), averaged(), moment_weights(false),
            moment_weights(true)};
  }

  nn::NetworkWeights averaged() const override { return nn::to_weights(averaged_); }
  std::uint64_t steps() const override { return steps_; }

 private:
  torch::Tensor weighted(const Losses& terms) const {
    return config_.policy_weight * terms.policy + config_.wdl_weight * terms.wdl +
           config_.margin_weight * terms.margin;
  }

  static LossReport report_of(const Losses& terms, const Batch& batch) {
    return {terms.policy.item<double>(), target_entropy(batch.policy), terms.wdl.item<double>(),
            terms.margin.item<double>(), 0};
  }

  void restore_moments(const std::vector<torch::Tensor>& first,
                       const std::vector<torch::Tensor>& second) {
    const auto parameters = network_->parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      auto& state = moments(optimizer_, parameters[i]);
      state.step(static_cast<std::int64_t>(steps_));
      state.exp_avg(first[i].detach().clone());
      state.exp_avg_sq(second[i].detach().clone());
    }
  }

  // One of the two moments, in the shapes of the weights.
  nn::NetworkWeights moment_weights(bool second) const {
    auto copy = nn::to_torch(nn::to_weights(network_));
    const torch::NoGradGuard no_gradient;
    const auto targets = copy->parameters();
    const auto parameters = network_->parameters();
    for (std::size_t i = 0; i < targets.size(); ++i) {
      auto& state = moments(optimizer_, parameters[i]);
      targets[i].copy_(second ? state.exp_avg_sq() : state.exp_avg());
    }
    return nn::to_weights(copy);
  }

  void average() {
    const torch::NoGradGuard no_gradient;
    const auto sources = network_->parameters();
    const auto targets = averaged_->parameters();
    const double decay = average_decay(config_, steps_);
    for (std::size_t i = 0; i < sources.size(); ++i)
      targets[i].lerp_(sources[i], 1.0 - decay);
  }

  LearnerConfig config_;
  std::vector<env::RuleSet> rules_;
  std::uint64_t steps_;
  nn::TorchNetwork network_;
  nn::TorchNetwork averaged_;
  mutable torch::optim::AdamW optimizer_;  // LibTorch hands its state out to nobody const
};

}  // namespace

std::unique_ptr<LearnerBackend> make_torch_learner(const LearnerConfig& config,
                                                   const std::vector<env::RuleSet>& rules,
                                                   const LearnerState& state) {
  return std::make_unique<TorchLearner>(config, rules, state);
}

}  // namespace awale::training
