// The network of a CPU kernel, for any instruction set: see cpu_kernel.hpp. Everything is in an
// unnamed namespace and uses nothing of the standard library, so that no function compiled for one
// machine is linked into code for another.
//
// An `Isa` says what a vector is and how to multiply:
//   Vector, kLanes              floats side by side
//   Element, Output             a weight or an input, and what a layer within a block puts out
//   Sum                         a vector of sums of products
//   kTileRows, kStripVectors    a tile: rows x vectors, so that its sums fit the registers
//   kHeadRows                   the rows of a tile of the heads
//   kPieceRows                  so many rows stay in a cache; measured at 2x128 and 2x256
//   multiply_add(sum, weights, inputs), and the first layer's sums
//   begin(), end()              what a sum begins with, and from a sum to an output: FloatSums,
//                               where sums are floats
#pragma once

#include "nn/cpu_kernel.hpp"
#include "nn/cpu_softmax.hpp"
#include "nn/cpu_table.hpp"

namespace awale::nn {
namespace {

// One linear layer of a piece of `rows`.
template <typename Isa>
struct Layer {
  const typename Isa::Element* weights;
  const float* bias;
  const typename Isa::Element* in;  // [rows][stride]
  typename Isa::Output* out;        // [rows][stride]
  float* residual;           // [rows][stride], added and replaced where the layer ends a block
  const float* output_unit;  // these two of int8: PackedLinear, CpuScratch
  const float* row_unit;
  long stride;
  long strip_elements;  // of weights
  int steps;            // over the inputs
  int strips;
};

// sums[r][v] += in[r] * weights, in the order of the inputs. Vector v belongs to strip v / stripe.
template <typename Isa, int kRows, int kVectors>
[[gnu::always_inline]] inline void multiply(typename Isa::Sum (&sums)[kRows][kVectors],
                                            const Layer<Isa>& layer,
                                            const typename Isa::Element* weights,
                                            const typename Isa::Element* in) {
  constexpr int kStripVectors = Isa::kStripVectors;
  constexpr int kStep = input_step(Isa::kPrecision);
  for (int step = 0; step < layer.steps; ++step) {
    typename Isa::Weights part[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      part[v] = Isa::load_weights(weights + v / kStripVectors * layer.strip_elements +
                                  v % kStripVectors * Isa::kLanes * kStep);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const auto input = Isa::broadcast(in + r * layer.stride);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v)
        sums[r][v] = Isa::multiply_add(sums[r][v], part[v], input);
    }
    weights += kStripVectors * Isa::kLanes * kStep;
    in += kStep;
  }
}

// Sums of floats: they begin with the bias, and the residual where the layer ends a block.
template <typename Isa>
struct FloatSums {
  template <bool kResidual>
  static auto begin(const Layer<Isa>& layer, int row, int column) {
    auto sum = Isa::load(layer.bias + column);
    if constexpr (kResidual) sum += Isa::load(layer.residual + row * layer.stride + column);
    return sum;
  }

  template <bool kResidual, typename Vector>
  static void end(Vector low, Vector high, const Layer<Isa>& layer, int row, int column) {
    const long at = row * layer.stride + column;
    low = Isa::relu(low);
    high = Isa::relu(high);
    Isa::store(low, high, layer.out + at);
    if constexpr (kResidual && Isa::kPrecision != CpuPrecision::kFloat32) {
      Isa::store_floats(low, layer.residual + at);
      Isa::store_floats(high, layer.residual + at + Isa::kLanes);
    }
  }
};

// kRows rows of kStrips strips from the row and the strip given.
template <typename Isa, int kRows, int kStrips, bool kResidual>
void compute_tile(const Layer<Isa>& layer, int row, int strip) {
  constexpr int kVectors = kStrips * Isa::kStripVectors;
  const int column = strip * Isa::kStripVectors * Isa::kLanes;
  typename Isa::Sum sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r)
      sums[r][v] = Isa::template begin<kResidual>(layer, row + r, column + v * Isa::kLanes);
  }
  multiply<Isa, kRows, kVectors>(sums, layer, layer.weights + strip * layer.strip_elements,
                                 layer.in + row * layer.stride);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; v += 2) {
      Isa::template end<kResidual>(sums[r][v], sums[r][v + 1], layer, row + r,
                                   column + v * Isa::kLanes);
    }
  }
}

// The tile of `rows` <= kRows rows.
template <typename Isa, int kRows, int kStrips, bool kResidual>
void choose_tile(const Layer<Isa>& layer, int rows, int row, int strip) {
  if (rows == kRows) {
    compute_tile<Isa, kRows, kStrips, kResidual>(layer, row, strip);
  } else if constexpr (kRows > 1) {
    choose_tile<Isa, kRows - 1, kStrips, kResidual>(layer, rows, row, strip);
  }
}

// How many of the `left` rows the next tile takes: no tile is left with a few rows only, which
// would wait for their sums more than compute.
template <int kTileRows>
int next_rows(int left) {
  if (left <= kTileRows) return left;
  return left < 2 * kTileRows ? (left + 1) / 2 : kTileRows;
}

template <typename Isa, bool kResidual>
void compute_layer(const Layer<Isa>& layer, int rows) {
  constexpr int kHalf = Isa::kTileRows / 2;
  constexpr int kQuarter = Isa::kTileRows / 4;
  int strip = 0;
  if (rows <= kQuarter) {
    for (; strip + 4 <= layer.strips; strip += 4)
      choose_tile<Isa, kQuarter, 4, kResidual>(layer, rows, 0, strip);
  }
  if (rows <= kHalf) {
    for (; strip + 2 <= layer.strips; strip += 2)
      choose_tile<Isa, kHalf, 2, kResidual>(layer, rows, 0, strip);
  }
  for (; strip < layer.strips; ++strip) {
    for (int row = 0; row < rows;) {
      const int tile = next_rows<Isa::kTileRows>(rows - row);
      choose_tile<Isa, Isa::kTileRows, 1, kResidual>(layer, tile, row, strip);
      row += tile;
    }
  }
}

// The heads of `rows` <= kRows rows. One row's sums would wait for each other, so even and odd
// steps are summed apart.
template <typename Isa, int kRows>
void compute_heads(const Layer<Isa>& layer, int rows, int row, float* heads) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return compute_heads<Isa, kRows - 1>(layer, rows, row, heads);
  }
  using Vector = typename Isa::Vector;
  constexpr int kVectors = kPaddedHeads / Isa::kLanes;
  constexpr int kChains = kHeadSteps;
  constexpr int kStep = input_step(Isa::kPrecision);
  constexpr int kStepElements = kPaddedHeads * kStep;
  Vector sums[kChains][kRows][kVectors] = {};
  const auto* weights = layer.weights;
  const auto* in = layer.in + row * layer.stride;
  for (int step = 0; step < layer.steps; step += kChains) {
#pragma GCC unroll 2
    for (int chain = 0; chain < kChains; ++chain) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const auto input = Isa::broadcast(in + r * layer.stride + chain * kStep);
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const auto part =
              Isa::load_weights(weights + chain * kStepElements + v * Isa::kLanes * kStep);
          sums[chain][r][v] = Isa::multiply_add(sums[chain][r][v], part, input);
        }
      }
    }
    weights += kChains * kStepElements;
    in += kChains * kStep;
  }
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      const Vector bias = Isa::load(layer.bias + v * Isa::kLanes);
      Isa::store_floats(sums[0][r][v] + sums[1][r][v] + bias,
                        heads + r * kPaddedHeads + v * Isa::kLanes);
    }
  }
}

template <typename Isa>
Layer<Isa> make_layer(const PackedNetwork& network, const PackedLinear& linear, const void* in,
                      void* out, const CpuScratch& scratch) {
  using Element = typename Isa::Element;
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  return {static_cast<const Element*>(linear.weights),
          linear.bias,
          static_cast<const Element*>(in),
          static_cast<typename Isa::Output*>(out),
          scratch.residual,
          linear.output_unit,
          scratch.row_unit,
          static_cast<long>(network.strips) * kColumns,
          static_cast<long>(network.inputs) * kColumns,
          network.inputs / input_step(Isa::kPrecision),
          network.strips};
}

template <typename Isa>
void compute_blocks(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  for (int block = 0; block < network.blocks; ++block) {
    const PackedLinear* linear = network.layers + 2 * block;
    compute_layer<Isa, false>(
        make_layer<Isa>(network, linear[0], scratch.input, scratch.hidden, scratch), rows);
    compute_layer<Isa, true>(
        make_layer<Isa>(network, linear[1], scratch.hidden, scratch.input, scratch), rows);
  }
}

// in: what the last block puts out.
template <typename Isa>
void evaluate_heads(const PackedNetwork& network, const void* in, int rows,
                    const CpuScratch& scratch, float* evaluations) {
  const auto heads = make_layer<Isa>(network, network.heads, in, nullptr, scratch);
  for (int row = 0; row < rows;) {
    alignas(64) float outputs[Isa::kHeadRows * kPaddedHeads];
    const int tile = next_rows<Isa::kHeadRows>(rows - row);
    compute_heads<Isa, Isa::kHeadRows>(heads, tile, row, outputs);
    finish_evaluations(outputs, tile, evaluations + row * kHeadColumns);
    row += tile;
  }
}

template <typename Isa>
void evaluate(const PackedNetwork& network, const void* base, const FeatureValues* features,
              int rows, const CpuScratch& scratch, float* evaluations) {
  compute_first_layer<Isa>(network, base, features, rows, scratch);
  compute_blocks<Isa>(network, rows, scratch);
  evaluate_heads<Isa>(network, scratch.input, rows, scratch, evaluations);
}

template <typename Isa>
constexpr CpuKernel make_cpu_kernel(
    const char* name, decltype(CpuKernel::evaluate) evaluate_rows = evaluate<Isa>,
    decltype(CpuKernel::compute_blocks) compute_their_blocks = compute_blocks<Isa>) {
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  return {.name = name,
          .precision = Isa::kPrecision,
          .strip_columns = kColumns,
          .tile_columns = kColumns,
          .input_multiple = kHeadSteps * input_step(Isa::kPrecision),
          .row_multiple = 1,
          .piece_rows = Isa::kPieceRows,
          .evaluate = evaluate_rows,
          .compute_blocks = compute_their_blocks};
}

}  // namespace
}  // namespace awale::nn
