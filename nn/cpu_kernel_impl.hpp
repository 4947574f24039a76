// The network of a CPU kernel, for any instruction set: see cpu_kernel.hpp. Everything is in an
// unnamed namespace and uses nothing of the standard library, so that no function compiled for one
// machine is linked into code for another.
//
// An `Isa` says what a vector is and how to multiply:
//   Vector, kLanes              floats side by side
//   Element, kStep              a weight or an activation, and how many one instruction multiplies
//   kTileRows, kStripVectors    a tile: rows x vectors, so that its sums fit the registers
//   kHeadRows                   the rows of a tile of the heads
//   multiply_add(sum, weights, inputs), store(values, to), and the first layer's sums
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
  typename Isa::Element* out;       // [rows][stride]
  float* residual;  // [rows][stride], added and replaced where the layer ends a block
  long stride;
  long strip_elements;  // of weights
  int steps;            // over the inputs
  int strips;
};

// sums[r][v] += in[r] * weights, in the order of the inputs. Vector v belongs to strip v / stripe.
template <typename Isa, int kRows, int kVectors>
[[gnu::always_inline]] inline void multiply(typename Isa::Vector (&sums)[kRows][kVectors],
                                            const Layer<Isa>& layer,
                                            const typename Isa::Element* weights,
                                            const typename Isa::Element* in) {
  constexpr int kStripVectors = Isa::kStripVectors;
  for (int step = 0; step < layer.steps; ++step) {
    typename Isa::Weights part[kVectors];
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; ++v) {
      part[v] = Isa::load_weights(weights + v / kStripVectors * layer.strip_elements +
                                  v % kStripVectors * Isa::kLanes * Isa::kStep);
    }
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      const auto input = Isa::broadcast(in + r * layer.stride);
#pragma GCC unroll 16
      for (int v = 0; v < kVectors; ++v)
        sums[r][v] = Isa::multiply_add(sums[r][v], part[v], input);
    }
    weights += kStripVectors * Isa::kLanes * Isa::kStep;
    in += Isa::kStep;
  }
}

// kRows rows of kStrips strips from the row and the strip given.
template <typename Isa, int kRows, int kStrips, bool kResidual>
void compute_tile(const Layer<Isa>& layer, int row, int strip) {
  using Vector = typename Isa::Vector;
  constexpr int kVectors = kStrips * Isa::kStripVectors;
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  const long corner = row * layer.stride + strip * kColumns;
  Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int v = 0; v < kVectors; ++v) {
    const Vector bias = Isa::load(layer.bias + strip * kColumns + v * Isa::kLanes);
#pragma GCC unroll 16
    for (int r = 0; r < kRows; ++r) {
      sums[r][v] = bias;
      if constexpr (kResidual) {
        sums[r][v] += Isa::load(layer.residual + corner + r * layer.stride + v * Isa::kLanes);
      }
    }
  }
  multiply<Isa, kRows, kVectors>(sums, layer, layer.weights + strip * layer.strip_elements,
                                 layer.in + row * layer.stride);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < kVectors; v += 2) {
      const Vector low = Isa::relu(sums[r][v]);
      const Vector high = Isa::relu(sums[r][v + 1]);
      const long at = corner + r * layer.stride + v * Isa::kLanes;
      Isa::store(low, high, layer.out + at);
      if constexpr (kResidual && Isa::kStep != 1) {
        Isa::store_floats(low, layer.residual + at);
        Isa::store_floats(high, layer.residual + at + Isa::kLanes);
      }
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
  constexpr int kStepElements = kPaddedHeads * Isa::kStep;
  Vector sums[kChains][kRows][kVectors] = {};
  const auto* weights = layer.weights;
  const auto* in = layer.in + row * layer.stride;
  for (int step = 0; step < layer.steps; step += kChains) {
#pragma GCC unroll 2
    for (int chain = 0; chain < kChains; ++chain) {
#pragma GCC unroll 16
      for (int r = 0; r < kRows; ++r) {
        const auto input = Isa::broadcast(in + r * layer.stride + chain * Isa::kStep);
#pragma GCC unroll 2
        for (int v = 0; v < kVectors; ++v) {
          const auto part =
              Isa::load_weights(weights + chain * kStepElements + v * Isa::kLanes * Isa::kStep);
          sums[chain][r][v] = Isa::multiply_add(sums[chain][r][v], part, input);
        }
      }
    }
    weights += kChains * kStepElements;
    in += kChains * Isa::kStep;
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
                      void* out, float* residual) {
  using Element = typename Isa::Element;
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  return {static_cast<const Element*>(linear.weights),
          linear.bias,
          static_cast<const Element*>(in),
          static_cast<Element*>(out),
          residual,
          static_cast<long>(network.strips) * kColumns,
          static_cast<long>(network.inputs) * kColumns,
          network.inputs / Isa::kStep,
          network.strips};
}

template <typename Isa>
void compute_blocks(const PackedNetwork& network, int rows, const CpuScratch& scratch) {
  for (int block = 0; block < network.blocks; ++block) {
    const PackedLinear* linear = network.layers + 2 * block;
    compute_layer<Isa, false>(
        make_layer<Isa>(network, linear[0], scratch.input, scratch.hidden, nullptr), rows);
    compute_layer<Isa, true>(
        make_layer<Isa>(network, linear[1], scratch.hidden, scratch.input, scratch.residual), rows);
  }
}

template <typename Isa>
void evaluate(const PackedNetwork& network, const void* base, const FeatureValues* features,
              int rows, const CpuScratch& scratch, float* evaluations) {
  compute_first_layer<Isa>(network, base, features, rows, scratch);
  compute_blocks<Isa>(network, rows, scratch);
  const auto heads = make_layer<Isa>(network, network.heads, scratch.input, nullptr, nullptr);
  for (int row = 0; row < rows;) {
    alignas(64) float outputs[Isa::kHeadRows * kPaddedHeads];
    const int tile = next_rows<Isa::kHeadRows>(rows - row);
    compute_heads<Isa, Isa::kHeadRows>(heads, tile, row, outputs);
    finish_evaluations(outputs, tile, evaluations + row * kHeadColumns);
    row += tile;
  }
}

template <typename Isa>
constexpr CpuKernel make_cpu_kernel(const char* name) {
  // Measured at 2x128 and 2x256: so many rows stay in the second cache of a core.
  constexpr int kPieceRows = 256;
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  return {.name = name,
          .precision = Isa::kPrecision,
          .strip_columns = kColumns,
          .tile_columns = kColumns,
          .step = Isa::kStep,
          .input_multiple = kHeadSteps * Isa::kStep,
          .row_multiple = 1,
          .piece_rows = kPieceRows,
          .evaluate = evaluate<Isa>,
          .compute_blocks = compute_blocks<Isa>};
}

}  // namespace
}  // namespace awale::nn
