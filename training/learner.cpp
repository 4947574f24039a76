#include "training/learner.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "training/learner_backend.hpp"
#include "training/learner_dump.hpp"
#include "training/learner_kernel.hpp"

namespace awale::training {
namespace {

std::unique_ptr<LearnerBackend> make_backend(const LearnerConfig& config,
                                             const std::vector<env::RuleSet>& rules,
                                             const LearnerState& state) {
  switch (config.kind) {
    case LearnerKind::kTorch:
      return make_torch_learner(config, rules, state);
    case LearnerKind::kCpuFp32:
      return make_cpu_learner(config, rules, state, false);
    case LearnerKind::kCpuBf16:
      return make_cpu_learner(config, rules, state, true);
    case LearnerKind::kAuto:
      break;
  }
  AWALE_CHECK(false, "not resolved: " << to_string(config.kind));
}

// Says which kind `auto` is.
LearnerConfig resolved(LearnerConfig config) {
  config.kind = resolve_learner_kind(config.kind);
  return config;
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

LearnerKind resolve_learner_kind(LearnerKind kind) {
  const bool bfloat16 = find_learner_kernel(true) != nullptr;
  if (kind == LearnerKind::kAuto) return bfloat16 ? LearnerKind::kCpuBf16 : LearnerKind::kCpuFp32;
  if (kind == LearnerKind::kCpuBf16 && !bfloat16) {
    throw InputError(ErrorKind::kUsage,
                     "learner.kind: expected one that this machine can run, found cpu-bf16, which "
                     "needs AVX512-BF16");
  }
  return kind;
}

struct Learner::Impl {
  Impl(const LearnerConfig& config, const std::vector<env::RuleSet>& rule_sets,
       const LearnerState& state)
      : kind(config.kind), rules(rule_sets), backend(make_backend(config, rules, state)) {}

  LearnerKind kind;
  std::vector<env::RuleSet> rules;
  std::unique_ptr<LearnerBackend> backend;
};

Learner::Learner(const LearnerConfig& config, const std::vector<env::RuleSet>& rules,
                 const LearnerState& state)
    : impl_(std::make_unique<Impl>(resolved(config), rules, state)) {}

Learner::~Learner() = default;

LossReport Learner::step(std::span<const TrainingRow* const> rows, double rate) {
  return impl_->backend->step(rows, rate);
}

LossReport Learner::evaluate(std::span<const TrainingRow* const> rows) {
  return impl_->backend->evaluate(rows);
}

void Learner::dump_batch(const std::filesystem::path& path,
                         std::span<const TrainingRow* const> rows) const {
  write_batch(path, impl_->rules, rows);
}

LearnerState Learner::state() const {
  return impl_->backend->state();
}

nn::NetworkWeights Learner::averaged() const {
  return impl_->backend->averaged();
}

std::uint64_t Learner::steps() const {
  return impl_->backend->steps();
}

LearnerKind Learner::kind() const {
  return impl_->kind;
}

}  // namespace awale::training
