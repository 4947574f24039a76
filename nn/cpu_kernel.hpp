// The inner loops of the CPU evaluator: a piece of a batch through the whole network.
//
// The same source (cpu_kernel_impl.hpp) is compiled once for each instruction set; which of them
// run on this machine is asked at run time. Every output is summed over its inputs in one order,
// however many rows are computed together: a row has the same bits in every batch. The float32
// kernels give the same bits as each other.
//
// Weights lie in strips of `strip_columns` output columns, so that the part of a strip that a few
// rows need stays in the first cache while all rows of a piece pass by. Kernels are stateless and
// safe to call from any thread.
#pragma once

#include <span>
#include <string_view>

#include "nn/cpu_evaluator.hpp"
#include "nn/encoder_kernel.hpp"

namespace awale::nn {

// A block that the first layer adds up: its column in FeatureValues, and where its values' rows
// begin in the layer's table.
struct SummedBlock {
  int column = 0;
  int first_row = 0;
};

// Pits, stores, takes, replies, gains, and the past merged into one block; in the order of
// summation.
inline constexpr int kSummedBlocks = 45;
inline constexpr int kTableRows = 992;  // values of all these blocks

struct SummedBlocks {
  SummedBlock block[kSummedBlocks];

  consteval SummedBlocks() {
    int row = 0;
    for (int i = 0; i < kSummedBlocks; ++i) {
      const int column = i < kQuietColumn ? i : i + 3;
      const bool own = column < kTakesColumn + env::kPitsPerSide;
      block[i] = {column, row};
      row += column < kStoreColumn   ? kPitValues
             : column < kQuietColumn ? kStoreValues
             : column < kReplyColumn ? kTakesIllegal + (own ? 1 : 0)
             : column < kGainColumn  ? kReplyValues
                                     : kGainValues;
    }
    block[kSummedBlocks - 1].column = kPastColumn;
  }
};

inline constexpr SummedBlocks kSummed;
static_assert(kSummed.block[kSummedBlocks - 1].first_row + kPastValues == kTableRows);

// The outputs of the heads, padded, and how many steps over the inputs they take at once.
inline constexpr int kPaddedHeads = 16;
inline constexpr int kHeadSteps = 2;

// Inputs of a column that lie side by side, because one instruction multiplies so many.
constexpr int input_step(CpuPrecision precision) {
  return precision == CpuPrecision::kInt8 ? 4 : precision == CpuPrecision::kBfloat16 ? 2 : 1;
}

// Of an int8 network the heads are float32.
constexpr CpuPrecision head_precision(CpuPrecision precision) {
  return precision == CpuPrecision::kInt8 ? CpuPrecision::kFloat32 : precision;
}

// A layer, `columns` = kernel.tile_columns (the heads: kPaddedHeads), step = input_step().
struct PackedLinear {
  const void* weights;  // [outputs / columns][inputs / step][columns][step] of the precision
  const float* bias;    // [outputs]
  // Of int8: what the inputs are multiplied with before they are rounded, so that the largest
  // weight of each is 1, and what a 1 in a row of the weights is worth.
  const float* input_factor;  // [inputs]
  const float* output_unit;   // [outputs]
};

// A network as a kernel reads it; 64-byte aligned, padded with zeros.
struct PackedNetwork {
  int strips;                  // of the width W
  int inputs;                  // W rounded up to kernel.input_multiple
  int blocks;                  // residual blocks
  const void* table;           // [strips][kTableRows][columns] int16, of float32 float
  const float* table_unit;     // [strips][columns]: what a 1 in an int16 table is worth
  const PackedLinear* layers;  // [2 * blocks]
  PackedLinear heads;
};

// Memory for a piece; 64-byte aligned; rows are strips * strip_columns long, and their number is
// rounded up to kernel.row_multiple. In what order the numbers lie is the kernel's business.
struct CpuScratch {
  float* residual;  // [rows]
  void* input;      // [rows] the same as bfloat16; of float32 the same memory; of int8 a layer's
                    // inputs in bytes
  void* hidden;     // [rows] bfloat16, else float
  float* row_unit;  // [rows] of int8: what a 1 in a row of `input` is worth
};

struct CpuKernel {
  const char* name;
  CpuPrecision precision;
  int strip_columns;
  int tile_columns;    // outputs whose weights lie side by side: a strip, or a part of it
  int input_multiple;  // inputs that one turn of the inner loop multiplies
  int row_multiple;    // rows that the smallest tile computes
  int piece_rows;      // at most so many rows at once: their activations stay in the cache

  // base: [strips][columns] int16 (of float32 float), the part of the first layer that is equal for
  // all rows. evaluations: [rows][kHeadColumns] as in Evaluation.
  void (*evaluate)(const PackedNetwork& network, const void* base, const FeatureValues* features,
                   int rows, const CpuScratch& scratch, float* evaluations);

  // For benchmarks: the residual blocks alone.
  void (*compute_blocks)(const PackedNetwork& network, int rows, const CpuScratch& scratch);
};

// Every kernel that this machine can run, the fastest first.
std::span<const CpuKernel> cpu_kernels();

// A network packed for one of them: make_cpu_network() takes the first of its precision.
std::shared_ptr<const CpuNetwork> make_cpu_network(const NetworkWeights& weights,
                                                   const CpuKernel& kernel);

}  // namespace awale::nn
