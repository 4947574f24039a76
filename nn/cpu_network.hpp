// A network packed for a kernel; behind cpu_evaluator.hpp.
#pragma once

#include <span>
#include <vector>

#include "nn/aligned_buffer.hpp"
#include "nn/cpu_kernel.hpp"

namespace awale::nn {

inline int round_up(int value, int step) {
  return (value + step - 1) / step * step;
}

class CpuNetwork {
 public:
  CpuNetwork(const NetworkWeights& weights, const CpuKernel& kernel);

  const CpuKernel& kernel() const { return kernel_; }
  const NetworkConfig& config() const { return config_; }
  const PackedNetwork& packed() const { return packed_; }
  int columns() const { return packed_.strips * kernel_.strip_columns; }  // the width, padded
  // Bytes of a number in the first layer's table and sums.
  int table_bytes() const { return kernel_.precision == CpuPrecision::kFloat32 ? 4 : 2; }

  // What all rows of a call have in common: the bias and the rules' rows of the first layer, as a
  // kernel wants it. base: columns() numbers of table_bytes().
  void fill_base(const RuleIndices& rules, std::byte* base) const;

 private:
  // The weights of `columns` outputs side by side; `padded` outputs in all.
  PackedLinear pack(const NetworkWeights& weights, const std::string& name, int columns, int padded,
                    CpuPrecision precision);
  const float* keep(std::span<const float> values, int padded);
  void pack_table(const NetworkWeights& weights);
  void choose_units(const NetworkWeights& weights);
  void put_first_layer(std::byte* to, std::size_t index, int column, float value) const;

  CpuKernel kernel_;
  NetworkConfig config_;
  PackedNetwork packed_ = {};
  std::vector<PackedLinear> layers_;
  std::vector<AlignedBuffer<std::byte>> weights_;
  std::vector<AlignedBuffer<float>> vectors_;  // what keep() was given, padded with zeros
  AlignedBuffer<std::byte> table_;
  AlignedBuffer<float> units_;  // [columns]
  // Of the first layer: the rules' features and after them the bias, [.., W].
  std::vector<float> rule_rows_;
};

}  // namespace awale::nn
