// How the encoder reads positions: the values of the blocks and the steps behind them, and the
// kernels, one for every machine and one for AVX-512. All give the same bytes.
#pragma once

#include <span>

#include "nn/encoder.hpp"

namespace awale::nn {

inline constexpr int kPitValues = 25;        // 0..23, 24 or more
inline constexpr int kStoreValues = 49;      // 0..48
inline constexpr int kQuietValues = 8;       // steps: encoder_past.hpp
inline constexpr int kRepetitionValues = 3;  // 0, 1, 2 or more
inline constexpr int kPliesLeftValues = 10;  // likewise

// Values of a "takes" block: an empty pit, 0..8 seeds and, for the mover's pits only, an illegal
// move.
inline constexpr int kMaxTakes = 8;  // this many seeds or more
inline constexpr int kTakesEmpty = 0;
inline constexpr int kTakesZero = 1;
inline constexpr int kTakesIllegal = kTakesZero + kMaxTakes + 1;

// Values of a "reply" block: the most that the other player could take next, in the steps of a
// "takes" block; kTakesEmpty where there is no move that he could reply to.
inline constexpr int kReplyValues = kTakesZero + kMaxTakes + 1;

// Values of a "gain" block: kTakesEmpty as in a "reply" block, then the seeds that the mover takes
// more than the opponent in the move and those after it.
inline constexpr int kGainPlies = 4;  // the move's own included
inline constexpr int kMaxGain = 8;    // this many seeds or more, and as few
inline constexpr int kGainZero = kTakesEmpty + 1 + kMaxGain;
inline constexpr int kGainValues = kGainZero + kMaxGain + 1;

// Columns, i.e. indices into the table of blocks.
inline constexpr int kPitColumn = 0;
inline constexpr int kStoreColumn = 12;
inline constexpr int kQuietColumn = 14;
inline constexpr int kRepetitionColumn = 15;
inline constexpr int kPliesLeftColumn = 16;
inline constexpr int kTakesColumn = 17;
inline constexpr int kReplyColumn = 29;
inline constexpr int kGainColumn = 41;

struct EncoderKernel {
  const char* name;
  // positions, values: [count].
  void (*encode)(const env::RuleSet& rules, const env::Position* positions, long count,
                 FeatureValues* values);
};

// Every kernel that this machine can run, the fastest first; the last is plain C++.
std::span<const EncoderKernel> encoder_kernels();

}  // namespace awale::nn
