// The end of the network in the kernels: a row of the heads becomes an Evaluation. In an unnamed
// namespace, as all that the kernels include.
#pragma once

#include "nn/cpu_kernel.hpp"

namespace awale::nn {
namespace {

typedef float Floats4 __attribute__((vector_size(16), aligned(4), may_alias));
typedef std::int32_t Ints4 __attribute__((vector_size(16)));

inline Floats4 floats4(float value) {
  return Floats4{} + value;
}

// e^x for x <= 0, within 2e-7 of it: Cephes' expf, a polynomial of degree 7 around 0 after x has
// been split into n ln 2 + r.
inline Floats4 exp4(Floats4 x) {
  constexpr float kLowest = -87;      // e^x would be no normal number
  constexpr float kRound = 12582912;  // 1.5 * 2^23: adding it rounds to whole numbers
  x = x > kLowest ? x : floats4(kLowest);
  const Floats4 shifted = x * 1.44269504F + kRound;
  const Floats4 n = shifted - kRound;
  const Floats4 r = x - n * 0.693359375F + n * 2.12194440e-4F;
  Floats4 sum = floats4(1.9875691500e-4F);
  sum = sum * r + 1.3981999507e-3F;
  sum = sum * r + 8.3334519073e-3F;
  sum = sum * r + 4.1665795894e-2F;
  sum = sum * r + 1.6666665459e-1F;
  sum = sum * r + 5.0000001201e-1F;
  sum = sum * r * r + r + 1;
  const Ints4 power = (__builtin_convertvector(n, Ints4) + 127) << 23;
  return sum * (Floats4)power;
}

// heads: [kPaddedHeads]; evaluation: [kHeadColumns] in the order of Evaluation, which is that of
// the heads.
inline void finish_evaluation(const float* heads, float* evaluation) {
  static_assert(kPolicyColumn == 0 && kWdlColumn == 6 && kMarginColumn == 9);
  const Floats4 last = *reinterpret_cast<const Floats4*>(heads + kWdlColumn);
  const Floats4 win = __builtin_shufflevector(last, last, 0, 0, 0, 0);
  const Floats4 draw = __builtin_shufflevector(last, last, 1, 1, 1, 1);
  const Floats4 loss = __builtin_shufflevector(last, last, 2, 2, 2, 2);
  Floats4 largest = win > draw ? win : draw;
  largest = largest > loss ? largest : loss;
  const Floats4 powers = exp4(__builtin_shufflevector(last, last, 0, 1, 2, 2) - largest);
  const Floats4 sum = __builtin_shufflevector(powers, powers, 0, 0, 0, 0) +
                      __builtin_shufflevector(powers, powers, 1, 1, 1, 1) +
                      __builtin_shufflevector(powers, powers, 2, 2, 2, 2);
  Floats4 result = powers / sum;
  result[3] = kMarginScaleSeeds * last[3];
  *reinterpret_cast<Floats4*>(evaluation) = *reinterpret_cast<const Floats4*>(heads);
  evaluation[4] = heads[4];
  evaluation[5] = heads[5];
  *reinterpret_cast<Floats4*>(evaluation + kWdlColumn) = result;
}

// heads: [rows][kPaddedHeads]; evaluations: [rows][kHeadColumns]. Not inlined: among the sums of
// the heads its registers would not suffice.
[[gnu::noinline]] void finish_evaluations(const float* heads, int rows, float* evaluations) {
  for (int r = 0; r < rows; ++r)
    finish_evaluation(heads + r * kPaddedHeads, evaluations + r * kHeadColumns);
}

}  // namespace
}  // namespace awale::nn
