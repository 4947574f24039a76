// The float32 kernel for AVX-512F; compiled for it whatever the rest is compiled for.
#include "nn/cpu_float32.hpp"

namespace awale::nn {

extern const CpuKernel kAvx512CpuKernel;
const CpuKernel kAvx512CpuKernel = make_cpu_kernel<Float32<16, 12>>("avx512");

}  // namespace awale::nn
