#include "nn/evaluator_config.hpp"

#include <algorithm>

#include "env/error.hpp"

namespace awale::nn {
namespace {

template <typename Value>
std::string name_of(const std::vector<std::pair<std::string, Value>>& names, Value value) {
  const auto found = std::find_if(names.begin(), names.end(),
                                  [value](const auto& name) { return name.second == value; });
  AWALE_CHECK(found != names.end(), static_cast<int>(value));
  return found->first;
}

bool runs_on_gpu(EvaluatorKind kind) {
  return kind == EvaluatorKind::kAuto || kind == EvaluatorKind::kTorch ||
         kind == EvaluatorKind::kTorchBf16;
}

}  // namespace

const std::vector<std::pair<std::string, EvaluatorKind>>& evaluator_kinds() {
  static const std::vector<std::pair<std::string, EvaluatorKind>> kinds = {
      {"auto", EvaluatorKind::kAuto},
      {"torch", EvaluatorKind::kTorch},
      {"torch-bf16", EvaluatorKind::kTorchBf16},
      {"eigen", EvaluatorKind::kEigen},
      {"cpu-fp32", EvaluatorKind::kCpuFp32},
      {"cpu-bf16", EvaluatorKind::kCpuBf16},
      {"cpu-int8", EvaluatorKind::kCpuInt8}};
  return kinds;
}

const std::vector<std::pair<std::string, Device>>& devices() {
  static const std::vector<std::pair<std::string, Device>> all = {
      {"auto", Device::kAuto}, {"cpu", Device::kCpu}, {"cuda", Device::kCuda}};
  return all;
}

std::string to_string(EvaluatorKind kind) {
  return name_of(evaluator_kinds(), kind);
}

std::string to_string(Device device) {
  return name_of(devices(), device);
}

EvaluatorKind parse_evaluator_kind(const std::string& name) {
  std::string names;
  for (const auto& [known, kind] : evaluator_kinds()) {
    if (known == name) return kind;
    names.append(names.empty() ? "" : ", ").append(known);
  }
  throw InputError(ErrorKind::kUsage,
                   "evaluator.kind: expected one of " + names + ", found '" + name + "'");
}

bool rows_depend_on_batch(EvaluatorKind kind) {
  return kind == EvaluatorKind::kTorch || kind == EvaluatorKind::kTorchBf16;
}

void EvaluatorConfig::validate() const {
  if (cache_positions < 0 || cache_positions > kMostCachePositions) {
    throw InputError(ErrorKind::kUsage, "evaluator.cache: expected 0 (none).." +
                                            std::to_string(kMostCachePositions) +
                                            " positions, found " + std::to_string(cache_positions));
  }
  if (cache_positions > 0 && rows_depend_on_batch(kind)) {
    throw InputError(ErrorKind::kUsage,
                     "evaluator.cache: expected 0 with evaluator.kind '" + to_string(kind) +
                         "', whose last bits depend on the batch, so that results would depend on "
                         "what the cache knows; found " +
                         std::to_string(cache_positions));
  }
  if (device == Device::kCuda && !runs_on_gpu(kind)) {
    throw InputError(ErrorKind::kUsage,
                     "evaluator.device: 'cuda' contradicts evaluator.kind '" + to_string(kind) +
                         "', which runs on the CPU; take kind auto, torch or torch-bf16");
  }
}

}  // namespace awale::nn
