// What the bfloat16 kernels share; see cpu_kernel_impl.hpp. In an unnamed namespace, as all that
// the kernels include.
#pragma once

#include <immintrin.h>

#include "nn/cpu_kernel.hpp"

namespace awale::nn {
namespace {

typedef float Floats16 __attribute__((vector_size(64), may_alias));

// A strip's row of the first layer's table.
typedef std::int16_t TableRow __attribute__((vector_size(64), may_alias));

// With a mask of all lanes: of the plain one GCC 12 warns that it reads something uninitialized.
inline Floats16 relu16(Floats16 value) {
  return _mm512_maskz_max_ps(0xffff, value, Floats16{});
}

inline Floats16 load16(const float* from) {
  return *reinterpret_cast<const Floats16*>(from);
}

inline void store16(Floats16 value, float* to) {
  *reinterpret_cast<Floats16*>(to) = value;
}

inline void store_bfloat16(Floats16 low, Floats16 high, std::uint16_t* to) {
  _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
}

// The floats of a strip's sum: halves[0] and halves[1].
inline void table_floats(TableRow sum, const float* unit, Floats16 (&halves)[2]) {
  typedef std::int16_t Words __attribute__((vector_size(32)));
  const Words* words = reinterpret_cast<const Words*>(&sum);
  for (int half = 0; half < 2; ++half)
    halves[half] = __builtin_convertvector(words[half], Floats16) * load16(unit + 16 * half);
}

}  // namespace
}  // namespace awale::nn
