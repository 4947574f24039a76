// The learner's loops outside the products: sums of feature rows and their gradient, masks of relu,
// conversions, AdamW. One source (learner_kernel_impl.hpp) compiled once for each instruction set;
// which of them run on this machine is asked at run time. All give the same bits.
//
// "Element" is what products read: float, or bfloat16 as its 16 bits, rounded to nearest even. All
// widths are multiples of kVectorColumns, all arrays 64-byte aligned.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "nn/encoder.hpp"
#include "nn/weights.hpp"

namespace awale::training {

inline constexpr int kVectorColumns = 16;

// Features that a position decides, one in each of these blocks; the rest hold the rules.
inline constexpr int kRowFeatures = nn::kBoardColumns;
inline constexpr int kRuleFeatures = nn::kActiveFeatures - nn::kBoardColumns;

// Rows that follow each other and are played by the same rules.
struct RuleRun {
  int rows = 0;
  std::array<std::int32_t, kRuleFeatures> features = {};
};

struct FeatureRows {
  const std::uint16_t* offsets;  // [rows][kRowFeatures] feature * kVectorColumns
  const RuleRun* runs;
  int run_count;
};

struct AdamW {
  float gradient_scale = 1;  // of clipping
  float beta1 = 0;
  float beta2 = 0;
  float keep = 1;                // what weight decay leaves of a weight
  float step_size = 0;           // rate / (1 - beta1^t)
  float second_moment_root = 1;  // 1 / sqrt(1 - beta2^t)
  float epsilon = 0;
  float average_share = 0;  // of the weight in the average
};

struct LearnerKernel {
  const char* name;
  bool bfloat16;

  // The first layer: relu(sum of the rows' features + bias). weights [width / 16][F][16]; stream
  // and elements [rows][width], which are the same memory where elements are floats.
  void (*sum_features)(const FeatureRows& rows, const float* weights, const float* bias, int width,
                       float* stream, void* elements);
  // Its gradient, added to that of weights and bias; elements are its outputs.
  void (*add_feature_gradients)(const FeatureRows& rows, const float* gradient,
                                const void* elements, int width, float* weight_gradient,
                                float* bias_gradient);

  // gradient becomes 0 where the layer's output is; its columns' sums are added to bias_gradient.
  // [rows][columns]; masked is the result once more as elements, or the same memory as gradient.
  void (*mask_stream)(float* gradient, const void* outputs, int rows, int columns, void* masked,
                      float* bias_gradient);
  // The same of a gradient that is there as elements only.
  void (*mask_elements)(void* gradient, const void* outputs, int rows, int columns,
                        float* bias_gradient);

  // sums [columns] += the columns' sums.
  void (*add_columns)(const float* values, int rows, int columns, float* sums);
  void (*to_elements)(const float* values, std::size_t size, void* elements);
  // Cross entropy of the class `target` with the softmax of the first nn::kMarginClasses logits,
  // which become its gradient times `scale`, those behind them up to a whole vector 0.
  float (*margin_cross_entropy)(int target, float scale, float* logits);

  double (*sum_of_squares)(const float* values, std::size_t size);

  // One step of AdamW and of the average; elements gets the new weights, nullptr: not wanted.
  void (*adamw)(const AdamW& step, std::size_t size, const float* gradient, float* weights,
                float* first_moment, float* second_moment, float* average, void* elements);
};

// Every kernel that this machine can run, the fastest of each kind of elements first; the last is
// plain C++ with floats. bfloat16 wants AVX512-BF16.
std::span<const LearnerKernel> learner_kernels();

// The first of its kind; nullptr where this machine has none.
const LearnerKernel* find_learner_kernel(bool bfloat16);

}  // namespace awale::training
