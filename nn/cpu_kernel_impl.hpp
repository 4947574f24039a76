// The network of a CPU kernel, for any instruction set: see cpu_kernel.hpp. Everything is in an
// unnamed namespace and uses nothing of the standard library, so that no function compiled for one
// machine is linked into code for another.
//
// An `Isa` says what a vector is and how to multiply:
//   Vector, kLanes              floats side by side
//   Element, kStep              a weight or an activation, and how many one instruction multiplies
//   kTileRows, kStripVectors    a tile: rows x vectors, so that its sums fit the registers
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
  constexpr int kStripVectors = kVectors < Isa::kStripVectors ? kVectors : Isa::kStripVectors;
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

template <typename Isa, int kRows>
void compute_heads(const Layer<Isa>& layer, int rows, int row, float* evaluations) {
  if constexpr (kRows > 1) {
    if (rows < kRows) return compute_heads<Isa, kRows - 1>(layer, rows, row, evaluations);
  }
  constexpr int kVectors = kPaddedHeads / Isa::kLanes;
  typename Isa::Vector sums[kRows][kVectors];
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v)
      sums[r][v] = Isa::load(layer.bias + v * Isa::kLanes);
  }
  multiply<Isa, kRows, kVectors>(sums, layer, layer.weights, layer.in + row * layer.stride);
#pragma GCC unroll 16
  for (int r = 0; r < kRows; ++r) {
    alignas(64) float heads[kPaddedHeads];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v)
      Isa::store_floats(sums[r][v], heads + v * Isa::kLanes);
    finish_evaluation(heads, evaluations + (row + r) * kHeadColumns);
  }
}

template <typename Isa>
void evaluate(const PackedNetwork& network, const void* base, const FeatureValues* features,
              int rows, const CpuScratch& scratch, float* evaluations) {
  using Element = typename Isa::Element;
  constexpr int kColumns = Isa::kStripVectors * Isa::kLanes;
  compute_first_layer<Isa>(network, base, features, rows, scratch);
  Layer<Isa> layer = {};
  layer.stride = network.strips * kColumns;
  layer.strip_elements = static_cast<long>(network.inputs) * kColumns;
  layer.steps = network.inputs / Isa::kStep;
  layer.strips = network.strips;
  layer.residual = scratch.residual;
  const auto connect = [&layer](const PackedLinear& linear, const void* in, void* out) {
    layer.weights = static_cast<const Element*>(linear.weights);
    layer.bias = linear.bias;
    layer.in = static_cast<const Element*>(in);
    layer.out = static_cast<Element*>(out);
  };
  for (int block = 0; block < network.blocks; ++block) {
    connect(network.layers[2 * block], scratch.input, scratch.hidden);
    compute_layer<Isa, false>(layer, rows);
    connect(network.layers[2 * block + 1], scratch.hidden, scratch.input);
    compute_layer<Isa, true>(layer, rows);
  }
  connect(network.heads, scratch.input, nullptr);
  for (int row = 0; row < rows;) {
    const int tile = next_rows<Isa::kTileRows>(rows - row);
    compute_heads<Isa, Isa::kTileRows>(layer, tile, row, evaluations);
    row += tile;
  }
}

template <typename Isa>
constexpr CpuKernel make_cpu_kernel(const char* name) {
  return {name, Isa::kPrecision, Isa::kStripVectors * Isa::kLanes, Isa::kStep, evaluate<Isa>};
}

}  // namespace
}  // namespace awale::nn
