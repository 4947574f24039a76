// The first layer's table of int16 rows, for the kernels that are not float32; see cpu_table.hpp.
// In an unnamed namespace, as all that the kernels include.
#pragma once

#include <immintrin.h>

#include "nn/cpu_kernel.hpp"

namespace awale::nn {
namespace {

typedef float Floats16 __attribute__((vector_size(64), may_alias));

// A strip's row of the first layer's table, and sums of such rows.
struct TableRow {
  typedef std::int16_t Words __attribute__((vector_size(64), may_alias));
  Words words;
  [[gnu::always_inline]] void operator+=(const TableRow& other) {
    words += other.words;
    // In this order: GCC would gather the addresses of all rows first, more than it has registers.
    asm("" : "+v"(words));
  }
};

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

// The floats of a strip's sum: halves[0] and halves[1].
inline void table_floats(const TableRow& sum, const float* unit, Floats16 (&halves)[2]) {
  typedef std::int16_t Half __attribute__((vector_size(32), may_alias));
  const Half* words = reinterpret_cast<const Half*>(&sum.words);
  for (int half = 0; half < 2; ++half)
    halves[half] = __builtin_convertvector(words[half], Floats16) * load16(unit + 16 * half);
}

}  // namespace
}  // namespace awale::nn
