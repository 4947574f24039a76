// The kernel for AVX512-BF16; compiled for it whatever the rest is compiled for.
#include <immintrin.h>

#include "nn/cpu_kernel_impl.hpp"

namespace awale::nn {
namespace {

struct Bfloat16 {
  typedef float Vector __attribute__((vector_size(64), may_alias));
  typedef std::int16_t TableSum __attribute__((vector_size(64), may_alias));
  using Element = std::uint16_t;
  using Weights = __m512bh;
  static constexpr CpuPrecision kPrecision = CpuPrecision::kBfloat16;
  static constexpr int kLanes = 16;
  static constexpr int kStep = 2;
  static constexpr int kTileRows = 12;
  static constexpr int kStripVectors = 2;
  static constexpr int kHeadRows = 12;
  static constexpr int kTableStrips = 4;

  static Vector load(const float* from) { return *reinterpret_cast<const Vector*>(from); }
  static Weights load_weights(const Element* from) { return (Weights)_mm512_load_si512(from); }
  static Weights broadcast(const Element* pair) {
    typedef std::int32_t Pair __attribute__((may_alias));
    return (Weights)_mm512_set1_epi32(*reinterpret_cast<const Pair*>(pair));
  }
  static Vector multiply_add(Vector sum, Weights weights, Weights inputs) {
    return _mm512_dpbf16_ps(sum, weights, inputs);
  }
  // With a mask of all lanes: of the plain one GCC 12 warns that it reads something uninitialized.
  static Vector relu(Vector value) { return _mm512_maskz_max_ps(0xffff, value, Vector{}); }
  static void store(Vector low, Vector high, Element* to) {
    _mm512_store_si512(to, (__m512i)_mm512_cvtne2ps_pbh(high, low));
  }
  static void store_floats(Vector value, float* to) { _mm512_storeu_ps(to, value); }

  static void store_table_sum(TableSum sum, const float* unit, float* residual, Element* out) {
    typedef std::int16_t Words __attribute__((vector_size(32)));
    const Words* halves = reinterpret_cast<const Words*>(&sum);
    const Vector low = __builtin_convertvector(halves[0], Vector) * load(unit);
    const Vector high = __builtin_convertvector(halves[1], Vector) * load(unit + kLanes);
    store_floats(relu(low), residual);
    store_floats(relu(high), residual + kLanes);
    store(relu(low), relu(high), out);
  }
};

}  // namespace

extern const CpuKernel kBfloat16CpuKernel;
const CpuKernel kBfloat16CpuKernel = make_cpu_kernel<Bfloat16>("avx512-bf16");

}  // namespace awale::nn
