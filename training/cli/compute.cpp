#include "training/cli/compute.hpp"

#include <cstdio>

#include "nn/blas.hpp"
#include "nn/torch_info.hpp"

namespace awale::training {

void check_compute(int threads) {
  nn::require_thread_safe_blas(threads);
  const auto info = nn::torch_info();
  if (!info.warning.empty()) std::fprintf(stderr, "awale: warning: %s\n", info.warning.c_str());
}

}  // namespace awale::training
