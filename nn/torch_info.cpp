#include "nn/torch_info.hpp"

#include <torch/torch.h>
#include <torch/version.h>

#include <algorithm>
#include <chrono>

#include "nn/blas.hpp"

namespace awale::nn {
namespace {

// The reference BLAS does about 1 GFLOP/s, the slowest OpenBLAS kernels 30.
constexpr double kSlowGflops = 6;

double measure_gflops() {
  at::set_num_threads(1);
  use_one_blas_thread();
  const torch::InferenceMode inference;
  constexpr std::int64_t kSize = 128;
  constexpr int kRepeats = 5;  // the best of them: others may use the machine too
  const auto left = torch::ones({kSize, kSize});
  const auto right = torch::ones({kSize, kSize});
  double best = 0;
  for (int i = 0; i < kRepeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const auto product = torch::mm(left, right);
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::max(best, 2e-9 * kSize * kSize * kSize / time.count());
  }
  return best;
}

std::string blas_name(const BlasInfo& blas) {
  if (blas.openblas) return "OpenBLAS (" + blas.core + ")";
  return at::hasMKL() ? "MKL" : "unknown";
}

}  // namespace

std::string blas_warning(bool openblas, double gflops, const std::string& better_core) {
  if (!better_core.empty()) {
    return "OpenBLAS does not know this processor and uses its oldest kernels; set "
           "OPENBLAS_CORETYPE=" +
           better_core + " to compute about four times as fast";
  }
  if (openblas || gflops >= kSlowGflops) return {};
  return "LibTorch uses a slow BLAS, probably the reference BLAS, up to 100 times slower than "
         "OpenBLAS; install libopenblas0-pthread (apt-get install libopenblas0-pthread)";
}

TorchInfo torch_info() {
  const BlasInfo blas = blas_info();
  TorchInfo info;
  info.version = TORCH_VERSION;
  info.blas = blas_name(blas);
  info.cpu_gflops = measure_gflops();
  info.cuda_devices =
      torch::cuda::is_available() ? static_cast<int>(torch::cuda::device_count()) : 0;
  info.warning = blas_warning(blas.openblas, info.cpu_gflops, better_openblas_core());
  return info;
}

}  // namespace awale::nn
