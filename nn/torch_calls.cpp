// The program's side of torch_evaluator.hpp, torch_info.hpp and export.hpp: the module does it.
#include <dlfcn.h>

#include "nn/torch_module.hpp"

namespace awale::nn {
namespace {

const TorchFunctions& torch_module() {
  static const auto& functions = torch_functions<TorchFunctions>(kTorchFunctions);
  return functions;
}

}  // namespace

// Where there is no driver, LibTorch need not be asked.
bool has_cuda() {
  static const bool driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL) != nullptr;
  return driver && torch_module().has_cuda();
}

std::shared_ptr<const DeviceNetwork> make_device_network(const NetworkWeights& weights,
                                                         Device device, TorchPrecision precision) {
  return torch_module().make_device_network(weights, device, precision);
}

std::unique_ptr<Evaluator> make_torch_evaluator(std::shared_ptr<const DeviceNetwork> network) {
  return torch_module().make_torch_evaluator(std::move(network));
}

TorchInfo torch_info() {
  return torch_module().torch_info();
}

ExportCheck export_network(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                           ExportFormat format, const std::filesystem::path& path) {
  return torch_module().export_network(weights, rules, format, path);
}

}  // namespace awale::nn
