#include "training/learner_layout.hpp"

#include <string>

#include "env/error.hpp"
#include "nn/encoder.hpp"
#include "training/learner_kernel.hpp"

namespace awale::training {
namespace {

std::size_t padded(std::size_t columns) {
  return (columns + kVectorColumns - 1) / kVectorColumns * kVectorColumns;
}

// Calls visit(index in the array, value of a tensor) for every value of every tensor.
template <typename Weights, typename Visit>
void visit_values(Weights& weights, const LearnerLayout& layout, const Visit& visit) {
  const auto width = static_cast<std::size_t>(layout.width);
  const auto matrix = [&](auto& tensor, std::size_t first) {
    const std::size_t columns = tensor.shape.back();
    const std::size_t step = tensor.shape.size() == 1 ? 0 : width;
    for (std::size_t i = 0; i < tensor.values.size(); ++i)
      visit(first + i / columns * step + i % columns, tensor.values[i]);
  };
  const auto input = [&](auto& tensor) {
    const std::size_t columns = tensor.shape[1];
    for (std::size_t i = 0; i < tensor.values.size(); ++i) {
      const std::size_t feature = i / columns;
      const std::size_t column = i % columns;
      const std::size_t block = column / kVectorColumns * nn::kFeatures + feature;
      visit(layout.input.weight + block * kVectorColumns + column % kVectorColumns,
            tensor.values[i]);
    }
  };
  auto tensor = weights.tensors.begin();
  const auto linear = [&](const LinearPlace& place) {
    matrix(*tensor++, place.weight);
    matrix(*tensor++, place.bias);
  };
  input(*tensor++);
  matrix(*tensor++, layout.input.bias);
  for (const LinearPlace& layer : layout.layers)
    linear(layer);
  linear(layout.heads);
  if (weights.config.auxiliary) {
    linear({layout.heads.weight + kAuxiliaryColumn * width, layout.heads.bias + kAuxiliaryColumn});
  }
  AWALE_CHECK(tensor == weights.tensors.end(), weights.tensors.size());
}

}  // namespace

LearnerLayout::LearnerLayout(const nn::NetworkConfig& config)
    : width(static_cast<int>(padded(static_cast<std::size_t>(config.width)))),
      head_columns(kAuxiliaryColumn) {
  static_assert(nn::kHeadColumns <= kAuxiliaryColumn && kAuxiliaryColumn % kVectorColumns == 0);
  if (config.auxiliary) head_columns += static_cast<int>(padded(nn::kAuxiliaryColumns));
  const auto take = [this](std::size_t outputs, std::size_t inputs) {
    const LinearPlace place{size, size + outputs * inputs};
    size = place.bias + outputs;
    return place;
  };
  const auto columns = static_cast<std::size_t>(width);
  const LinearPlace sums = take(columns, nn::kFeatures);
  input = sums;
  for (int layer = 0; layer < 2 * config.blocks; ++layer)
    layers.push_back(take(columns, columns));
  heads = take(static_cast<std::size_t>(head_columns), columns);
}

void copy_to_array(const nn::NetworkWeights& weights, const LearnerLayout& layout, float* array) {
  visit_values(weights, layout,
               [array](std::size_t index, const float& value) { array[index] = value; });
}

void copy_from_array(const float* array, const LearnerLayout& layout, nn::NetworkWeights& weights) {
  for (auto& tensor : weights.tensors) {
    std::size_t count = 1;
    for (const std::size_t size : tensor.shape)
      count *= size;
    tensor.values.resize(count);
  }
  visit_values(weights, layout, [array](std::size_t index, float& value) { value = array[index]; });
}

}  // namespace awale::training
