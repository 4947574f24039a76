// The kernel for AVX512-BF16; compiled for it whatever the rest is compiled for.
#include "nn/cpu_bfloat16.hpp"
#include "nn/cpu_kernel_impl.hpp"

namespace awale::nn {
namespace {

struct Bfloat16 : FloatSums<Bfloat16> {
  using Vector = Floats16;
  using Sum = Vector;
  using TableSum = TableRow;
  using Element = std::uint16_t;
  using Output = Element;
  using Weights = __m512bh;
  static constexpr CpuPrecision kPrecision = CpuPrecision::kBfloat16;
  static constexpr int kLanes = 16;
  static constexpr int kTileRows = 12;
  static constexpr int kStripVectors = 2;
  static constexpr int kHeadRows = 12;
  static constexpr int kTableStrips = 4;
  static constexpr int kPieceRows = 256;

  static Vector load(const float* from) { return load16(from); }
  static Weights load_weights(const Element* from) { return (Weights)_mm512_load_si512(from); }
  static Weights broadcast(const Element* pair) {
    typedef std::int32_t Pair __attribute__((may_alias));
    return (Weights)_mm512_set1_epi32(*reinterpret_cast<const Pair*>(pair));
  }
  static Vector multiply_add(Vector sum, Weights weights, Weights inputs) {
    return _mm512_dpbf16_ps(sum, weights, inputs);
  }
  static Vector relu(Vector value) { return relu16(value); }
  static void store(Vector low, Vector high, Element* to) { store_bfloat16(low, high, to); }
  static void store_floats(Vector value, float* to) { _mm512_storeu_ps(to, value); }

  static void store_table_sum(const TableSum& sum, const PackedNetwork& network,
                              const CpuScratch& scratch, int row, int strip) {
    constexpr int kColumns = kStripVectors * kLanes;
    const long at = (static_cast<long>(row) * network.strips + strip) * kColumns;
    Vector halves[2];
    table_floats(sum, network.table_unit + strip * kColumns, halves);
    const Vector low = relu(halves[0]);
    const Vector high = relu(halves[1]);
    store_floats(low, scratch.residual + at);
    store_floats(high, scratch.residual + at + kLanes);
    store(low, high, static_cast<Element*>(scratch.input) + at);
  }
};

}  // namespace

extern const CpuKernel kBfloat16CpuKernel;
const CpuKernel kBfloat16CpuKernel = make_cpu_kernel<Bfloat16>("avx512-bf16");

}  // namespace awale::nn
