// Permission to use AMX. Linux only.
#pragma once

namespace awale::nn {

// Whether this processor multiplies tiles of bfloat16 and the kernel lets this process do so; asks
// it for permission at the first call.
bool may_use_tiles();

}  // namespace awale::nn
