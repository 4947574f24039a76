#include "nn/cpu_network.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "env/error.hpp"

namespace awale::nn {
namespace {

// No sum of int16 rows goes beyond this: rounding adds at most a half a row.
constexpr float kLargestSum = 32767 - kSummedBlocks;

// The nearest, ties to even; weights are finite.
std::uint16_t to_bfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

int bytes(CpuPrecision precision) {
  return 4 / input_step(precision);
}

int first_rule_feature() {
  return feature_blocks()[kBoardColumns].first;
}

// An int8 layer: weight[out][in] = rounded * output_unit[out] * input_factor[in]. The factor of an
// input is its largest weight, so that no input's weights are too small beside those of others to
// be told apart; it can be moved from the weights to the inputs, because they are rounded anew in
// each layer (Xiao et al. 2023, SmoothQuant).
struct Int8Units {
  std::vector<float> input_factor;
  std::vector<float> output_unit;

  explicit Int8Units(const NamedTensor& weight)
      : input_factor(weight.shape[1]), output_unit(weight.shape[0]) {
    constexpr float kLargest = 127;
    for (std::size_t i = 0; i < weight.values.size(); ++i) {
      float& factor = input_factor[i % input_factor.size()];
      factor = std::max(factor, std::abs(weight.values[i]));
    }
    for (std::size_t i = 0; i < weight.values.size(); ++i) {
      const float factor = input_factor[i % input_factor.size()];
      float& unit = output_unit[i / input_factor.size()];
      if (factor > 0) unit = std::max(unit, std::abs(weight.values[i]) / factor / kLargest);
    }
  }

  std::int8_t round(float weight, int out, int in) const {
    const float unit = output_unit[out] * input_factor[in];
    return unit > 0 ? static_cast<std::int8_t>(std::lrint(weight / unit)) : std::int8_t{0};
  }
};

// The values of a block of a table: of a block of features, or of the merged past.
int value_count(int column) {
  return column == kPastColumn ? kPastValues : feature_blocks()[column].size;
}

}  // namespace

CpuNetwork::CpuNetwork(const NetworkWeights& weights, const CpuKernel& kernel)
    : kernel_(kernel), config_(weights.config) {
  packed_.strips = round_up(config_.width, kernel_.strip_columns) / kernel_.strip_columns;
  packed_.inputs = round_up(config_.width, kernel_.input_multiple);
  packed_.blocks = config_.blocks;
  pack_table(weights);
  for (int block = 0; block < config_.blocks; ++block) {
    const std::string name = "blocks." + std::to_string(block);
    for (const char* linear : {".linear1", ".linear2"}) {
      layers_.push_back(
          pack(weights, name + linear, kernel_.tile_columns, columns(), kernel_.precision));
    }
  }
  packed_.layers = layers_.data();
  packed_.heads =
      pack(weights, "heads", kPaddedHeads, kPaddedHeads, head_precision(kernel_.precision));
}

const float* CpuNetwork::keep(std::span<const float> values, int padded) {
  AlignedBuffer<float> buffer(static_cast<std::size_t>(padded));
  std::copy(values.begin(), values.end(), buffer.data());
  vectors_.push_back(std::move(buffer));
  return vectors_.back().data();
}

PackedLinear CpuNetwork::pack(const NetworkWeights& weights, const std::string& name, int columns,
                              int padded, CpuPrecision precision) {
  const NamedTensor& weight = weights.at(name + ".weight");
  const auto outputs = static_cast<int>(weight.shape[0]);
  const auto inputs = static_cast<int>(weight.shape[1]);
  const int step = input_step(precision);
  const auto int8 =
      precision == CpuPrecision::kInt8 ? std::optional<Int8Units>(weight) : std::nullopt;
  AlignedBuffer<std::byte> packed(static_cast<std::size_t>(padded) * packed_.inputs *
                                  bytes(precision));
  for (int out = 0; out < outputs; ++out) {
    for (int in = 0; in < inputs; ++in) {
      const float value = weight.values[static_cast<std::size_t>(out) * inputs + in];
      const auto steps = static_cast<std::size_t>(packed_.inputs / step);
      const std::size_t at =
          ((out / columns * steps + in / step) * columns + out % columns) * step + in % step;
      if (int8) {
        reinterpret_cast<std::int8_t*>(packed.data())[at] = int8->round(value, out, in);
      } else if (precision == CpuPrecision::kBfloat16) {
        reinterpret_cast<std::uint16_t*>(packed.data())[at] = to_bfloat16(value);
      } else {
        reinterpret_cast<float*>(packed.data())[at] = value;
      }
    }
  }
  weights_.push_back(std::move(packed));
  return {weights_.back().data(), keep(weights.at(name + ".bias").values, padded),
          int8 ? keep(int8->input_factor, this->columns()) : nullptr,
          int8 ? keep(int8->output_unit, padded) : nullptr};
}

// One int16 step of a column is worth so much that the largest sum still fits.
void CpuNetwork::choose_units(const NetworkWeights& weights) {
  const auto& rows = weights.at("input.weight").values;
  const auto& bias = weights.at("input.bias").values;
  units_ = AlignedBuffer<float>(static_cast<std::size_t>(columns()));
  for (int column = 0; column < config_.width; ++column) {
    float largest = std::abs(bias[column]);
    for (const FeatureBlock& block : feature_blocks()) {
      float of_block = 0;
      for (int feature = block.first; feature < block.first + block.size; ++feature)
        of_block = std::max(of_block, std::abs(rows[feature * config_.width + column]));
      largest += of_block;
    }
    units_[column] = largest / kLargestSum;
  }
}

void CpuNetwork::put_first_layer(std::byte* to, std::size_t index, int column, float value) const {
  if (kernel_.precision == CpuPrecision::kFloat32) {
    reinterpret_cast<float*>(to)[index] = value;
  } else {
    const float unit = packed_.table_unit[column];
    reinterpret_cast<std::int16_t*>(to)[index] =
        unit == 0 ? std::int16_t{0} : static_cast<std::int16_t>(std::lrint(value / unit));
  }
}

void CpuNetwork::pack_table(const NetworkWeights& weights) {
  const auto& rows = weights.at("input.weight").values;
  const auto& bias = weights.at("input.bias").values;
  const auto width = static_cast<std::size_t>(config_.width);
  const auto weight = [&](int column, int value, std::size_t out) {
    return rows[(feature_blocks()[column].first + value) * width + out];
  };
  choose_units(weights);
  packed_.table_unit = units_.data();
  table_ =
      AlignedBuffer<std::byte>(static_cast<std::size_t>(columns()) * kTableRows * table_bytes());
  for (const SummedBlock& block : kSummed.block) {
    for (int value = 0; value < value_count(block.column); ++value) {
      for (std::size_t out = 0; out < width; ++out) {
        const std::size_t strip = out / kernel_.strip_columns;
        const std::size_t at =
            (strip * kTableRows + block.first_row + value) * kernel_.strip_columns +
            out % kernel_.strip_columns;
        const float sum = block.column != kPastColumn
                              ? weight(block.column, value, out)
                              : weight(kQuietColumn, value / 30, out) +
                                    weight(kRepetitionColumn, value / 10 % 3, out) +
                                    weight(kPliesLeftColumn, value % 10, out);
        put_first_layer(table_.data(), at, static_cast<int>(out), sum);
      }
    }
  }
  packed_.table = table_.data();
  rule_rows_.assign(rows.begin() + static_cast<long>(first_rule_feature() * width), rows.end());
  rule_rows_.insert(rule_rows_.end(), bias.begin(), bias.end());
}

void CpuNetwork::fill_base(const RuleIndices& rules, std::byte* base) const {
  for (int out = 0; out < config_.width; ++out) {
    float sum = rule_rows_[rule_rows_.size() - config_.width + out];
    for (const std::int32_t rule : rules)
      sum += rule_rows_[(rule - first_rule_feature()) * config_.width + out];
    put_first_layer(base, static_cast<std::size_t>(out), out, sum);
  }
}

}  // namespace awale::nn
