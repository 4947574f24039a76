// The vectors of the float32 kernels; see cpu_kernel_impl.hpp. In an unnamed namespace, as all that
// the kernels include.
#pragma once

#include <immintrin.h>

#include "nn/cpu_kernel_impl.hpp"

namespace awale::nn {
namespace {

template <int kFloats, int kRows>
struct Float32 : FloatSums<Float32<kFloats, kRows>> {
  typedef float Vector __attribute__((vector_size(4 * kFloats), may_alias));
  using Sum = Vector;
  using Element = float;
  using Output = float;
  using Weights = Vector;
  static constexpr CpuPrecision kPrecision = CpuPrecision::kFloat32;
  static constexpr int kLanes = kFloats;
  static constexpr int kTileRows = kRows;
  static constexpr int kStripVectors = 2;
  static constexpr int kHeadRows = kRows * kLanes / kPaddedHeads;
  static constexpr int kTableStrips = 2;
  static constexpr int kPieceRows = 256;

  struct TableSum {
    Vector low;
    Vector high;
    [[gnu::always_inline]] void operator+=(const TableSum& other) {
      low += other.low;
      high += other.high;
    }
  };

  static Vector load(const float* from) { return *reinterpret_cast<const Vector*>(from); }
  static Weights load_weights(const Element* from) { return load(from); }
  static Vector broadcast(const Element* input) { return Vector{} + *input; }
  static Vector multiply_add(Vector sum, Vector weights, Vector input) {
#if defined(__AVX512F__)
    return (Vector)_mm512_fmadd_ps((__m512)weights, (__m512)input, (__m512)sum);
#else
    return (Vector)_mm256_fmadd_ps((__m256)weights, (__m256)input, (__m256)sum);
#endif
  }
  static Vector relu(Vector value) {
#if defined(__AVX512F__)
    // With a mask of all lanes: of the plain one GCC 12 warns that it reads something
    // uninitialized.
    return (Vector)_mm512_maskz_max_ps(0xffff, (__m512)value, __m512{});
#else
    return (Vector)_mm256_max_ps((__m256)value, __m256{});
#endif
  }
  static void store_floats(Vector value, float* to) {
    *reinterpret_cast<Vector*>(to) = value;
  }
  static void store(Vector low, Vector high, Element* to) {
    store_floats(low, to);
    store_floats(high, to + kLanes);
  }
  static void store_table_sum(const TableSum& sum, const PackedNetwork& network,
                              const CpuScratch& scratch, int row, int strip) {
    const long at = (static_cast<long>(row) * network.strips + strip) * kStripVectors * kLanes;
    store(relu(sum.low), relu(sum.high), scratch.residual + at);
  }
};

}  // namespace
}  // namespace awale::nn
