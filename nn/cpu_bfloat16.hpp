// What the bfloat16 kernels share; see cpu_kernel_impl.hpp. In an unnamed namespace, as all that
// the kernels include.
#pragma once

#include "nn/cpu_int16_table.hpp"

namespace awale::nn {
namespace {

inline void store_bfloat16(Floats16 low, Floats16 high, std::uint16_t* to) {
  _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

}  // namespace
}  // namespace awale::nn
