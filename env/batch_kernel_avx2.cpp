// The kernel for AVX2; compiled for it whatever the rest is compiled for.
#include "env/batch_kernel_impl.hpp"

namespace awale::env {

extern const Kernel kAvx2Kernel;
const Kernel kAvx2Kernel = make_kernel<32>("avx2");

}  // namespace awale::env
