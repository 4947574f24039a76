// The loops of learner_kernel.hpp on vectors of 16 floats, which the compiler splits where the
// machine's are shorter. In an unnamed namespace: each file that includes this is compiled for
// another instruction set.
#pragma once

#include <cmath>
#include <cstring>
#include <type_traits>

#include "training/learner_kernel.hpp"

namespace awale::training {
namespace {

using Bfloat16 = std::uint16_t;  // its bits: the upper half of a float's

typedef float Floats __attribute__((vector_size(4 * kVectorColumns), may_alias));
typedef std::int32_t Ints __attribute__((vector_size(4 * kVectorColumns), may_alias));
typedef std::uint32_t Words __attribute__((vector_size(4 * kVectorColumns), may_alias));
typedef Bfloat16 Halves __attribute__((vector_size(2 * kVectorColumns), may_alias));

[[gnu::always_inline]] inline Floats& floats(float* at) {
  return *reinterpret_cast<Floats*>(at);
}

[[gnu::always_inline]] inline const Floats& floats(const float* at) {
  return *reinterpret_cast<const Floats*>(at);
}

[[gnu::always_inline]] inline void store(const Floats& values, float* to) {
  floats(to) = values;
}

[[gnu::always_inline]] inline void store(const Floats& values, Bfloat16* to) {
  const Words bits = (Words)values;
  const Words rounded = (bits + 0x7fff + ((bits >> 16) & 1)) >> 16;
  *reinterpret_cast<Halves*>(to) = __builtin_convertvector(rounded, Halves);
}

[[gnu::always_inline]] inline Floats load(const float* from) {
  return floats(from);
}

[[gnu::always_inline]] inline Floats load(const Bfloat16* from) {
  return (Floats)(__builtin_convertvector(*reinterpret_cast<const Halves*>(from), Words) << 16);
}

[[gnu::always_inline]] inline Floats keep_where_positive(const Floats& values,
                                                         const Floats& outputs) {
  return (Floats)((Ints)values & (outputs > 0));
}

[[gnu::always_inline]] inline Floats root(Floats values) {
  for (int i = 0; i < kVectorColumns; ++i)
    values[i] = __builtin_sqrtf(values[i]);
  return values;
}

template <typename Element>
void sum_features(const FeatureRows& rows, const float* weights, const float* bias, int width,
                  float* stream, void* elements) {
  // 16 columns of all features' weights, 51 kB, stay near the first cache while all rows pass by.
  for (int column = 0; column < width;
       column += kVectorColumns, weights += nn::kFeatures * kVectorColumns) {
    const std::uint16_t* offset = rows.offsets;
    float* out = stream + column;
    Element* element = static_cast<Element*>(elements) + column;
    for (const RuleRun* run = rows.runs; run != rows.runs + rows.run_count; ++run) {
      Floats base = floats(bias + column);
      for (const std::int32_t feature : run->features)
        base += floats(weights + feature * kVectorColumns);
      for (int row = 0; row < run->rows; ++row) {
        Floats sum = base;
#pragma GCC unroll 64
        for (int i = 0; i < kRowFeatures; ++i)
          sum += floats(weights + offset[i]);
        sum = keep_where_positive(sum, sum);
        store(sum, out);
        if constexpr (!std::is_same_v<Element, float>) store(sum, element);
        offset += kRowFeatures;
        out += width;
        element += width;
      }
    }
  }
}

template <typename Element>
void add_feature_gradients(const FeatureRows& rows, const float* gradient, const void* elements,
                           int width, float* weight_gradient, float* bias_gradient) {
  for (int column = 0; column < width;
       column += kVectorColumns, weight_gradient += nn::kFeatures * kVectorColumns) {
    const std::uint16_t* offset = rows.offsets;
    const float* in = gradient + column;
    const Element* element = static_cast<const Element*>(elements) + column;
    for (const RuleRun* run = rows.runs; run != rows.runs + rows.run_count; ++run) {
      Floats sum = {};
      for (int row = 0; row < run->rows; ++row) {
        const Floats value = keep_where_positive(floats(in), load(element));
        sum += value;
#pragma GCC unroll 64
        for (int i = 0; i < kRowFeatures; ++i)
          floats(weight_gradient + offset[i]) += value;
        offset += kRowFeatures;
        in += width;
        element += width;
      }
      floats(bias_gradient + column) += sum;
      for (const std::int32_t feature : run->features)
        floats(weight_gradient + feature * kVectorColumns) += sum;
    }
  }
}

template <typename Value, typename Element>
void mask(Value* gradient, const Element* outputs, int rows, int columns, Element* masked,
          float* bias_gradient) {
  for (int column = 0; column < columns; column += kVectorColumns) {
    Floats sum = floats(bias_gradient + column);
    std::size_t at = static_cast<std::size_t>(column);
    for (int row = 0; row < rows; ++row, at += static_cast<std::size_t>(columns)) {
      const Floats value = keep_where_positive(load(gradient + at), load(outputs + at));
      sum += value;
      store(value, gradient + at);
      if constexpr (!std::is_same_v<Value, Element>) store(value, masked + at);
    }
    floats(bias_gradient + column) = sum;
  }
}

template <typename Element>
void mask_stream(float* gradient, const void* outputs, int rows, int columns, void* masked,
                 float* bias_gradient) {
  mask(gradient, static_cast<const Element*>(outputs), rows, columns, static_cast<Element*>(masked),
       bias_gradient);
}

template <typename Element>
void mask_elements(void* gradient, const void* outputs, int rows, int columns,
                   float* bias_gradient) {
  mask(static_cast<Element*>(gradient), static_cast<const Element*>(outputs), rows, columns,
       static_cast<Element*>(gradient), bias_gradient);
}

void add_columns(const float* values, int rows, int columns, float* sums) {
  for (int row = 0; row < rows; ++row, values += columns) {
    for (int column = 0; column < columns; column += kVectorColumns)
      floats(sums + column) += floats(values + column);
  }
}

template <typename Element>
void to_elements(const float* values, std::size_t size, void* elements) {
  auto* to = static_cast<Element*>(elements);
  for (std::size_t i = 0; i < size; i += kVectorColumns)
    store(floats(values + i), to + i);
}

// e^x for x <= 0, within 2e-7 of it: Cephes' expf, a polynomial of degree 7 around 0 after x has
// been split into n ln 2 + r.
[[gnu::always_inline]] inline Floats exponential(Floats x) {
  constexpr float kLowest = -87;             // e^x would be no normal number
  constexpr float kRound = 12582912;         // 1.5 * 2^23: adding it rounds to whole numbers
  x = x < kLowest ? Floats{} + kLowest : x;  // keeps NaN
  const Floats n = (x * 1.44269504F + kRound) - kRound;
  const Floats r = x - n * 0.693359375F + n * 2.12194440e-4F;
  Floats sum = Floats{} + 1.9875691500e-4F;
  sum = sum * r + 1.3981999507e-3F;
  sum = sum * r + 8.3334519073e-3F;
  sum = sum * r + 4.1665795894e-2F;
  sum = sum * r + 1.6666665459e-1F;
  sum = sum * r + 5.0000001201e-1F;
  sum = sum * r * r + r + 1;
  const Ints power = (__builtin_convertvector(n, Ints) + 127) << 23;
  return sum * (Floats)power;
}

float margin_cross_entropy(int target, float scale, float* logits) {
  constexpr int kWhole = nn::kMarginClasses / kVectorColumns * kVectorColumns;
  static_assert(nn::kMarginClasses == kWhole + 1, "one class is left over");
  const float target_logit = logits[target];
  const float last = logits[kWhole];
  Floats most = Floats{} + last;
  for (int i = 0; i < kWhole; i += kVectorColumns)
    most = floats(logits + i) > most ? floats(logits + i) : most;
  float largest = most[0];
  for (int i = 1; i < kVectorColumns; ++i)
    largest = most[i] > largest ? most[i] : largest;
  Floats sums = {};
  for (int i = 0; i < kWhole; i += kVectorColumns) {
    const Floats shares = exponential(floats(logits + i) - largest);
    store(shares, logits + i);
    sums += shares;
  }
  const float last_share = exponential(Floats{} + (last - largest))[0];
  float sum = last_share;
  for (int i = 0; i < kVectorColumns; ++i)
    sum += sums[i];
  for (int i = 0; i < kWhole; i += kVectorColumns)
    floats(logits + i) *= scale / sum;
  store(Floats{last_share * (scale / sum)}, logits + kWhole);
  logits[target] -= scale;
  return std::log(sum) + largest - target_logit;
}

double sum_of_squares(const float* values, std::size_t size) {
  // Short sums as floats, long ones as doubles: exact enough, and fast.
  constexpr std::size_t kPart = 128 * kVectorColumns;
  double total = 0;
  for (std::size_t first = 0; first < size; first += kPart) {
    const std::size_t end = size - first < kPart ? size : first + kPart;
    Floats sum = {};
    for (std::size_t i = first; i < end; i += kVectorColumns)
      sum += floats(values + i) * floats(values + i);
    for (int i = 0; i < kVectorColumns; ++i)
      total += static_cast<double>(sum[i]);
  }
  return total;
}

template <typename Element>
void adamw(const AdamW& step, std::size_t size, const float* gradient, float* weights,
           float* first_moment, float* second_moment, float* average, void* elements) {
  auto* element = static_cast<Element*>(elements);
  for (std::size_t i = 0; i < size; i += kVectorColumns) {
    const Floats slope = floats(gradient + i) * step.gradient_scale;
    const Floats first = floats(first_moment + i) * step.beta1 + slope * (1 - step.beta1);
    const Floats second = floats(second_moment + i) * step.beta2 + slope * slope * (1 - step.beta2);
    const Floats deviation = root(second) * step.second_moment_root + step.epsilon;
    const Floats weight = floats(weights + i) * step.keep - step.step_size * (first / deviation);
    floats(first_moment + i) = first;
    floats(second_moment + i) = second;
    floats(weights + i) = weight;
    floats(average + i) += step.average_share * (weight - floats(average + i));
    if (element != nullptr) store(weight, element + i);
  }
}

template <typename Element>
constexpr LearnerKernel make_learner_kernel(const char* name) {
  return {name,
          std::is_same_v<Element, Bfloat16>,
          sum_features<Element>,
          add_feature_gradients<Element>,
          mask_stream<Element>,
          mask_elements<Element>,
          add_columns,
          to_elements<Element>,
          margin_cross_entropy,
          sum_of_squares,
          adamw<Element>};
}

}  // namespace
}  // namespace awale::training
