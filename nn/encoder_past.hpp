// The columns of a position's past in the encoder's kernels: tables instead of comparisons. In an
// unnamed namespace, so that no function compiled for one machine is linked into code for another.
#pragma once

#include "nn/encoder_kernel.hpp"

namespace awale::nn {
namespace {

// The last count of each step of the quiet plies, and of the plies left; then more than the last,
// and then, for plies left, no limit.
constexpr int kQuietSteps[] = {0, 1, 2, 4, 8, 16, 32};
constexpr int kPliesLeftSteps[] = {2, 5, 10, 20, 30, 50, 100, 200};

// The step of every count up to the first that is more than the last.
template <int kSteps, int kLast>
struct StepTable {
  std::uint8_t step[kLast + 2] = {};

  consteval explicit StepTable(const int (&steps)[kSteps]) {
    for (int count = 0; count <= kLast + 1; ++count) {
      for (const int last : steps)
        step[count] += count > last ? 1 : 0;
    }
  }

  [[gnu::always_inline]] std::uint8_t of(int count) const {
    return step[count < 0 ? 0 : count > kLast ? kLast + 1 : count];
  }
};

constexpr StepTable<7, 32> kQuiet(kQuietSteps);
constexpr StepTable<8, 200> kPliesLeft(kPliesLeftSteps);
static_assert(kQuiet.step[33] == kQuietValues - 1);
static_assert(kPliesLeft.step[201] == kPliesLeftValues - 2);

[[gnu::always_inline]] inline void encode_past(int ply_limit, const env::Position& position,
                                               std::uint8_t* value) {
  const int quiet = kQuiet.of(position.quiet_plies);
  const int repetitions =
      position.repetitions < kRepetitionValues ? position.repetitions : kRepetitionValues - 1;
  const int plies_left =
      ply_limit == 0 ? kPliesLeftValues - 1 : int{kPliesLeft.of(ply_limit - position.ply)};
  value[kQuietColumn] = static_cast<std::uint8_t>(quiet);
  value[kRepetitionColumn] = static_cast<std::uint8_t>(repetitions);
  value[kPliesLeftColumn] = static_cast<std::uint8_t>(plies_left);
  value[kPastColumn] = static_cast<std::uint8_t>(
      (quiet * kRepetitionValues + repetitions) * kPliesLeftValues + plies_left);
}

}  // namespace
}  // namespace awale::nn
