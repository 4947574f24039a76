// The kernel for AVX512-VNNI; compiled for it whatever the rest is compiled for.
//
// One instruction multiplies unsigned bytes with signed ones, four for each of 16 sums of int32.
// Inputs are never negative (relu), so they fill all 256 values: each row of a layer's inputs is
// rounded in a unit of its own, its largest number / 255. Sums are exact, so their order is free.
#include "nn/cpu_float32.hpp"
#include "nn/cpu_int16_table.hpp"
#include "nn/cpu_kernel_impl.hpp"

namespace awale::nn {
namespace {

struct Int8 {
  using Vector = Floats16;
  typedef std::int32_t Sum __attribute__((vector_size(64), may_alias));
  using TableSum = TableRow;
  using Element = std::uint8_t;
  using Output = float;
  using Weights = Sum;
  static constexpr CpuPrecision kPrecision = CpuPrecision::kInt8;
  static constexpr int kLanes = 16;
  static constexpr int kTileRows = 12;
  static constexpr int kStripVectors = 2;
  static constexpr int kTableStrips = 4;
  // Fewer than elsewhere: the floats that become bytes pass by twice.
  static constexpr int kPieceRows = 48;

  static Weights load_weights(const Element* from) {
    return *reinterpret_cast<const Weights*>(from);
  }
  static Weights broadcast(const Element* four) {
    typedef std::int32_t Four __attribute__((may_alias));
    return Weights{} + *reinterpret_cast<const Four*>(four);
  }
  static Sum multiply_add(Sum sum, Weights weights, Weights inputs) {
    return (Sum)_mm512_dpbusd_epi32((__m512i)sum, (__m512i)inputs, (__m512i)weights);
  }

  template <bool kResidual>
  static Sum begin(const Layer<Int8>&, int, int) {
    return Sum{};
  }

  template <bool kResidual>
  [[gnu::always_inline]] static void end(Sum low, Sum high, const Layer<Int8>& layer, int row,
                                         int column) {
    end_half<kResidual>(low, layer, row, column);
    end_half<kResidual>(high, layer, row, column + kLanes);
  }

  template <bool kResidual>
  [[gnu::always_inline]] static void end_half(Sum sum, const Layer<Int8>& layer, int row,
                                              int column) {
    float* to = (kResidual ? layer.residual : layer.out) + row * layer.stride + column;
    const Vector unit = load16(layer.output_unit + column) * layer.row_unit[row];
    Vector value =
        _mm512_fmadd_ps(__builtin_convertvector(sum, Vector), unit, load16(layer.bias + column));
    if constexpr (kResidual) value += load16(to);
    store16(relu16(value), to);
  }

  static void store_table_sum(const TableSum& sum, const PackedNetwork& network,
                              const CpuScratch& scratch, int row, int strip) {
    constexpr int kColumns = kStripVectors * kLanes;
    float* to = scratch.residual + (static_cast<long>(row) * network.strips + strip) * kColumns;
    Vector halves[2];
    table_floats(sum, network.table_unit + strip * kColumns, halves);
    store16(relu16(halves[0]), to);
    store16(relu16(halves[1]), to + kLanes);
  }
};

// With a mask of all lanes: see relu16().
constexpr __mmask16 kAllLanes = 0xffff;

Floats16 max16(Floats16 left, Floats16 right) {
  return _mm512_maskz_max_ps(kAllLanes, left, right);
}

float largest_of(Floats16 values) {
  // Halves, quarters, pairs and neighbours change places.
  values = max16(values, _mm512_maskz_shuffle_f32x4(kAllLanes, values, values, 0x4e));
  values = max16(values, _mm512_maskz_shuffle_f32x4(kAllLanes, values, values, 0xb1));
  values = max16(values, _mm512_maskz_permute_ps(kAllLanes, values, 0x4e));
  values = max16(values, _mm512_maskz_permute_ps(kAllLanes, values, 0xb1));
  return values[0];
}

constexpr float kLargestByte = 255;

// The largest of a row times `factor`. columns: a multiple of 32.
float largest_input(const float* row, const float* factor, int columns) {
  Floats16 most[2] = {};
  for (int c = 0; c < columns; c += 2 * Int8::kLanes) {
#pragma GCC unroll 2
    for (int half = 0; half < 2; ++half) {
      const int at = c + half * Int8::kLanes;
      most[half] = max16(most[half], load16(row + at) * load16(factor + at));
    }
  }
  return largest_of(max16(most[0], most[1]));
}

// bytes = row * factor * scale, rounded.
void round_row(const float* row, const float* factor, float scale, int columns,
               std::uint8_t* bytes) {
  for (int c = 0; c < columns; c += Int8::kLanes) {
    const Floats16 scaled = load16(row + c) * (load16(factor + c) * scale);
    const __m512i whole = _mm512_maskz_cvtps_epi32(kAllLanes, (__m512)scaled);
    _mm_store_si128(reinterpret_cast<__m128i*>(bytes + c),
                    _mm512_maskz_cvtepi32_epi8(kAllLanes, whole));
  }
}

// The inputs of `linear` as bytes. In two rounds, so that no row waits for its largest number.
void quantize(const float* inputs, const PackedLinear& linear, int rows, int columns,
              const CpuScratch& scratch) {
  for (long r = 0; r < rows; ++r) {
    scratch.row_unit[r] =
        largest_input(inputs + r * columns, linear.input_factor, columns) / kLargestByte;
  }
  auto* bytes = static_cast<std::uint8_t*>(scratch.input);
  for (long r = 0; r < rows; ++r) {
    const float unit = scratch.row_unit[r];
    round_row(inputs + r * columns, linear.input_factor, unit > 0 ? 1 / unit : 0, columns,
              bytes + r * columns);
  }
}

void compute_int8_blocks(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  const int columns = network.strips * Int8::kStripVectors * Int8::kLanes;
  auto* hidden = static_cast<float*>(scratch.hidden);
  const auto layer = [&](const PackedLinear& linear) {
    return make_layer<Int8>(network, linear, scratch.input, hidden, scratch);
  };
  for (int block = 0; block < network.blocks; ++block) {
    const PackedLinear* linear = network.layers + 2 * block;
    quantize(scratch.residual, linear[0], rows, columns, scratch);
    compute_layer<Int8, false>(layer(linear[0]), rows);
    quantize(hidden, linear[1], rows, columns, scratch);
    compute_layer<Int8, true>(layer(linear[1]), rows);
  }
}

void evaluate_int8(const PackedNetwork& network, const void* base, const FeatureValues* features,
                   int rows, const CpuScratch& scratch, float* evaluations) {
  compute_first_layer<Int8>(network, base, features, rows, scratch);
  compute_int8_blocks(network, rows, scratch);
  evaluate_heads<Float32<16, 12>>(network, scratch.residual, rows, scratch, evaluations);
}

}  // namespace

extern const CpuKernel kInt8CpuKernel;
const CpuKernel kInt8CpuKernel =
    make_cpu_kernel<Int8>("avx512-vnni", evaluate_int8, compute_int8_blocks);

}  // namespace awale::nn
