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
#include "training/learner_losses.hpp"

namespace awale::training {
namespace {

// One batch as tensors; buffers are kept from step to step.
struct Batch {
  torch::Tensor features;      // [B, K] int32
  torch::Tensor illegal;       // [B, A] bool
  torch::Tensor policy;        // [B, A]
  torch::Tensor wdl;           // [B, 3]
  torch::Tensor margin;        // [B], divided by kMarginScaleSeeds
  torch::Tensor margin_class;  // [B] int64, of the final margin
  torch::Tensor plies;         // [B], divided by kPliesScale, 0: unknown
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
  batch.margin_class = torch::empty({count}, torch::kInt64);
  batch.plies = torch::empty({count}, torch::kFloat32);
  auto* margin_class = batch.margin_class.data_ptr<std::int64_t>();
  auto* plies = batch.plies.data_ptr<float>();
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
    *margin_class++ = row->final_margin_seeds + nn::kLargestMargin;
    *plies++ = static_cast<float>(row->plies_left) / nn::kPliesScale;
  }
  encode(rules, rows, batch.features.data_ptr<std::int32_t>());
  return batch;
}

struct Losses {
  torch::Tensor policy;
  torch::Tensor wdl;
  torch::Tensor margin;
  torch::Tensor margin_distribution;  // 0 where the auxiliary heads are not computed
  torch::Tensor plies;
};

// Cross entropy of soft targets, mean over the rows that have one: those whose targets sum to 1
// rather than 0.
torch::Tensor cross_entropy(const torch::Tensor& logits, const torch::Tensor& targets) {
  return -(torch::log_softmax(logits, 1) * targets).sum() / targets.sum().clamp_min(1);
}

// Of the rows that know how many plies were left, their mean.
torch::Tensor plies_loss(const torch::Tensor& outputs, const torch::Tensor& targets) {
  const auto known = targets > 0;
  const auto each = torch::smooth_l1_loss(outputs, targets, at::Reduction::None);
  return (each * known).sum() / known.sum().clamp_min(1);
}

// auxiliary: undefined where these heads are not computed.
Losses losses(const torch::Tensor& heads, const torch::Tensor& auxiliary, const Batch& batch) {
  // Illegal moves get no probability; -1e9 rather than -infinity, which times a target of 0 is NaN.
  const auto policy_logits =
      heads.slice(1, nn::kPolicyColumn, nn::kWdlColumn).masked_fill(batch.illegal, -1e9);
  return {cross_entropy(policy_logits, batch.policy),
          cross_entropy(heads.slice(1, nn::kWdlColumn, nn::kMarginColumn), batch.wdl),
          torch::smooth_l1_loss(heads.select(1, nn::kMarginColumn), batch.margin),
          auxiliary.defined() ? torch::cross_entropy_loss(auxiliary.slice(1, 0, nn::kMarginClasses),
                                                          batch.margin_class)
                              : torch::zeros({}),
          auxiliary.defined() ? plies_loss(auxiliary.select(1, nn::kPliesColumn), batch.plies)
                              : torch::zeros({})};
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
    const auto terms = losses_of(network_, batch);
    const auto loss = weighted(terms);
    LossReport report = report_of(terms, batch);
    require_finite("the loss", loss.item<double>());
    loss.backward();
    fill_missing_gradients();
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
    return report_of(losses_of(averaged_, batch), batch);
  }

  LearnerState state() const override {
    return {steps_, nn::to_weights(network_), averaged(), moment_weights(false),
            moment_weights(true)};
  }

  nn::NetworkWeights averaged() const override { return nn::to_weights(averaged_); }
  std::uint64_t steps() const override { return steps_; }

 private:
  Losses losses_of(nn::TorchNetwork& network, const Batch& batch) const {
    if (!learns_auxiliary(config_, network->config()))
      return losses(network->forward(batch.features), {}, batch);
    const auto outputs = network->forward_all(batch.features);
    return losses(outputs.heads, outputs.auxiliary, batch);
  }

  // Heads that are not computed get a gradient of 0, so that they decay as all weights do.
  void fill_missing_gradients() {
    for (auto& parameter : network_->parameters()) {
      if (!parameter.grad().defined()) parameter.mutable_grad() = torch::zeros_like(parameter);
    }
  }

  torch::Tensor weighted(const Losses& terms) const {
    return config_.policy_weight * terms.policy + config_.wdl_weight * terms.wdl +
           config_.margin_weight * terms.margin +
           config_.margin_distribution_weight * terms.margin_distribution +
           config_.plies_left_weight * terms.plies;
  }

  static LossReport report_of(const Losses& terms, const Batch& batch) {
    return {.policy = terms.policy.item<double>(),
            .policy_target_entropy = target_entropy(batch.policy),
            .wdl = terms.wdl.item<double>(),
            .margin = terms.margin.item<double>(),
            .margin_distribution = terms.margin_distribution.item<double>(),
            .plies_left = terms.plies.item<double>()};
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
