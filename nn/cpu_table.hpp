// The first layer in the kernels: a sum of rows of a table. In an unnamed namespace, as all that
// the kernels include.
#pragma once

#include "nn/cpu_kernel.hpp"

namespace awale::nn {
namespace {

// Adds the rows of kStrips strips.
template <typename Isa, int kStrips>
void add_table_rows(const PackedNetwork& network, const void* base, const FeatureValues* features,
                    int rows, int strip, const CpuScratch& scratch) {
  using Sum = typename Isa::TableSum;  // a strip's row
  const Sum* first = static_cast<const Sum*>(network.table) + strip * kTableRows;
  for (int r = 0; r < rows; ++r) {
    Sum sums[kStrips];
#pragma GCC unroll 8
    for (int s = 0; s < kStrips; ++s)
      sums[s] = static_cast<const Sum*>(base)[strip + s];
#pragma GCC unroll 64
    for (int block = 0; block < kSummedBlocks; ++block) {
      const SummedBlock& summed = kSummed.block[block];
      const Sum* row = first + summed.first_row + features[r].value[summed.column];
#pragma GCC unroll 8
      for (int s = 0; s < kStrips; ++s)
        sums[s] += row[s * kTableRows];
    }
#pragma GCC unroll 8
    for (int s = 0; s < kStrips; ++s)
      Isa::store_table_sum(sums[s], network, scratch, r, strip + s);
  }
}

template <typename Isa>
void compute_first_layer(const PackedNetwork& network, const void* base,
                         const FeatureValues* features, int rows, const CpuScratch& scratch) {
  constexpr int kTogether = Isa::kTableStrips;
  int strip = 0;
  for (; strip + kTogether <= network.strips; strip += kTogether)
    add_table_rows<Isa, kTogether>(network, base, features, rows, strip, scratch);
  for (; strip < network.strips; ++strip)
    add_table_rows<Isa, 1>(network, base, features, rows, strip, scratch);
}

}  // namespace
}  // namespace awale::nn
