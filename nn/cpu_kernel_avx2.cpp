// The float32 kernel for AVX2 and FMA; compiled for them whatever the rest is compiled for.
#include "nn/cpu_float32.hpp"

namespace awale::nn {

extern const CpuKernel kAvx2CpuKernel;
const CpuKernel kAvx2CpuKernel = make_cpu_kernel<Float32<8, 6>>("avx2");

}  // namespace awale::nn
