// What LibTorch can do on this machine, for logs and for a warning at start. No LibTorch here.
#pragma once

#include <string>

namespace awale::nn {

struct TorchInfo {
  std::string version;    // "1.13.1"
  std::string blas;       // "OpenBLAS (SkylakeX)"
  double cpu_gflops = 0;  // of one thread in a product of 128 x 128 matrices, fp32
  int cuda_devices = 0;   // 0: no CUDA
  std::string warning;    // one line: why it is slow and what to do; empty if all is well
};

// Takes a few milliseconds: it multiplies matrices to see how fast the BLAS is. Sets the calling
// thread to one intra-op thread, as evaluating does.
TorchInfo torch_info();

// The warning for a BLAS found as `blas` that reaches `gflops`; empty if it is fine. `better_core`
// as of better_openblas_core().
std::string blas_warning(bool openblas, double gflops, const std::string& better_core);

}  // namespace awale::nn
