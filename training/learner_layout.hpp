// Where the CPU learner keeps each tensor in its arrays of floats (weights, gradient, moments,
// average: all alike), so that one pass over each is a step of the optimizer.
//
// Widths are padded to multiples of 16 with zeros, whose gradients are zero, so that they stay so.
// The first layer's weights lie in blocks of 16 columns, [width / 16][F][16]: the part of them that
// one pass over the rows needs stays in the first cache. The rest are [outputs][inputs].
#pragma once

#include <cstddef>
#include <vector>

#include "nn/weights.hpp"

namespace awale::training {

// Outputs of the heads stand in the first columns, those of the auxiliary heads from here on.
inline constexpr int kAuxiliaryColumn = 16;

struct LinearPlace {
  std::size_t weight = 0;  // first index
  std::size_t bias = 0;
};

struct LearnerLayout {
  explicit LearnerLayout(const nn::NetworkConfig& config);

  int width = 0;         // padded
  int head_columns = 0;  // heads and auxiliary heads, each padded; see kAuxiliaryColumn
  LinearPlace input;
  std::vector<LinearPlace> layers;  // linear1 and linear2 of each block
  LinearPlace heads;                // with the auxiliary ones below them, if there are any
  std::size_t size = 0;

  // Where the tensors other than the first layer's begin: what products read.
  std::size_t dense() const { return layers.front().weight; }
};

// `array` [layout.size], zeros where nothing is copied to.
void copy_to_array(const nn::NetworkWeights& weights, const LearnerLayout& layout, float* array);
// Sets the tensors of `weights`, whose shapes are there.
void copy_from_array(const float* array, const LearnerLayout& layout, nn::NetworkWeights& weights);

}  // namespace awale::training
