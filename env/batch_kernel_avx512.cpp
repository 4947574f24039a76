// The kernel for AVX-512BW; compiled for it whatever the rest is compiled for.
#include "env/batch_kernel_impl.hpp"

namespace awale::env {

extern const Kernel kAvx512Kernel;
const Kernel kAvx512Kernel = make_kernel<64>("avx512");

}  // namespace awale::env
