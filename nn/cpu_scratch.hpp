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
        hidden_(residual_.size() * network.element_bytes()) {
    const bool bfloat16 = network.kernel().precision == CpuPrecision::kBfloat16;
    if (bfloat16) input_ = AlignedBuffer<std::byte>(hidden_.size());
    scratch_.residual = residual_.data();
    scratch_.input = bfloat16 ? static_cast<void*>(input_.data()) : residual_.data();
    scratch_.hidden = hidden_.data();
  }

  int rows() const { return rows_; }
  const CpuScratch& scratch() const { return scratch_; }

 private:
  int rows_ = 0;
  AlignedBuffer<float> residual_;
  AlignedBuffer<std::byte> input_;
  AlignedBuffer<std::byte> hidden_;
  CpuScratch scratch_ = {};
};

}  // namespace awale::nn
