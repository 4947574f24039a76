// The memory that a kernel works in, for pieces of up to so many rows.
#pragma once

#include "nn/cpu_network.hpp"

namespace awale::nn {

class CpuScratchMemory {
 public:
  CpuScratchMemory() = default;
  CpuScratchMemory(const CpuNetwork& network, int rows)
      : rows_(round_up(rows, network.kernel().row_multiple)),
        residual_(static_cast<std::size_t>(rows_) * network.columns()),
        row_unit_(static_cast<std::size_t>(rows_)) {
    const CpuPrecision precision = network.kernel().precision;
    const bool float32 = precision == CpuPrecision::kFloat32;
    const bool bfloat16 = precision == CpuPrecision::kBfloat16;
    if (!float32) input_ = AlignedBuffer<std::byte>(residual_.size() * (bfloat16 ? 2 : 1));
    hidden_ = AlignedBuffer<std::byte>(residual_.size() * (bfloat16 ? 2 : 4));
    scratch_.residual = residual_.data();
    scratch_.input = float32 ? static_cast<void*>(residual_.data()) : input_.data();
    scratch_.hidden = hidden_.data();
    scratch_.row_unit = row_unit_.data();
  }

  int rows() const { return rows_; }
  const CpuScratch& scratch() const { return scratch_; }

 private:
  int rows_ = 0;
  AlignedBuffer<float> residual_;
  AlignedBuffer<std::byte> input_;
  AlignedBuffer<std::byte> hidden_;
  AlignedBuffer<float> row_unit_;
  CpuScratch scratch_ = {};
};

}  // namespace awale::nn
