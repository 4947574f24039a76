// The program's side of what LibTorch does for training: the module does it.
#include "training/torch_functions.hpp"

namespace awale::training {
namespace {

const TorchTrainingFunctions& torch_module() {
  static const auto& functions =
      nn::torch_functions<TorchTrainingFunctions>(kTorchTrainingFunctions);
  return functions;
}

}  // namespace

std::unique_ptr<LearnerBackend> make_torch_learner(const LearnerConfig& config,
                                                   const std::vector<env::RuleSet>& rules,
                                                   const LearnerState& state) {
  return torch_module().make_torch_learner(config, rules, state);
}

std::unique_ptr<Workload> make_torch_product(const nn::NetworkConfig& network, int batch) {
  return torch_module().make_torch_product(network, batch);
}

}  // namespace awale::training
