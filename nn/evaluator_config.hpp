// How a network is evaluated, as settings: bound to the command line and to config files as section
// [evaluator], resolved by network_evaluator.hpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace awale::nn {

enum class Device { kAuto, kCpu, kCuda };  // kAuto: CUDA if there is a GPU, else the CPU

enum class EvaluatorKind {
  kAuto,       // the fastest that is right here
  kTorch,      // LibTorch, float32
  kTorchBf16,  // LibTorch, residual blocks in bfloat16
  kEigen,      // row by row with Eigen, the reference
  kCpuFp32,    // this project's kernels for the CPU (cpu_evaluator.hpp)
  kCpuBf16,
  kCpuInt8,
};

// Every kind with its name in configs and messages, kAuto first.
const std::vector<std::pair<std::string, EvaluatorKind>>& evaluator_kinds();
const std::vector<std::pair<std::string, Device>>& devices();
std::string to_string(EvaluatorKind kind);
// Throws InputError(kUsage) that lists the names.
EvaluatorKind parse_evaluator_kind(const std::string& name);
std::string to_string(Device device);

// Whether a row's bits depend on the size of its batch, as BLAS libraries have it.
bool rows_depend_on_batch(EvaluatorKind kind);

inline constexpr int kMostCachePositions = 100'000'000;

struct EvaluatorConfig {
  EvaluatorKind kind = EvaluatorKind::kAuto;
  Device device = Device::kAuto;
  int cache_positions = 0;  // known positions that each evaluator keeps, 64 bytes each; 0: none

  // Throws InputError(kUsage) naming the key. Contradictions: a GPU for a kind that has none; a
  // cache before LibTorch, because results would depend on what it happens to know.
  void validate() const;
};

}  // namespace awale::nn
