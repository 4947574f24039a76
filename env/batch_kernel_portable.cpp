// The kernel for any machine: registers of 16 bytes, or whatever the compiler makes of them.
#include "env/batch_kernel_impl.hpp"

namespace awale::env {

extern const Kernel kPortableKernel;
const Kernel kPortableKernel = make_kernel<16>("portable");

}  // namespace awale::env
