// Random numbers as a pure function of (run seed, purpose, game, ply): Philox4x32-10, the
// counter-based generator of Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (SC
// 2011).
//
// There is no global generator and no state to save: whoever needs randomness builds a stream for
// the place it is needed, so results do not depend on the order or number of threads.
#pragma once

#include <array>
#include <cstdint>
#include <limits>

#include "env/board.hpp"

namespace awale::env {

// What a stream is for; two purposes never share numbers.
enum class RandomPurpose : std::uint32_t {
  kMove = 1,         // sampling the move played
  kRootNoise = 2,    // Dirichlet or Gumbel noise
  kOpening = 3,      // random opening plies
  kReplay = 4,       // drawing training rows
  kNetworkInit = 5,  // initial weights
  kMatch = 6,        // openings and tie-breaks of matches
  kTest = 7,
  kRollout = 8,     // random_moves.hpp
  kPlayoutCap = 9,  // full or fast search
  kGrade = 10,      // positions of a grade
  kPlayOut = 11,    // games that no table ends
  kHeldOut = 12,    // games that are not learned from
  kSurprise = 13,   // how often a training row is repeated
  kSample = 14,     // rows for other tools
};

// The generator itself: ten rounds that mix `counter` under `key`.
std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key);

// A UniformRandomBitGenerator of 64-bit numbers; cheap to build (no allocation), not thread-safe.
class RandomStream {
 public:
  using result_type = std::uint64_t;

  RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t game, std::uint32_t ply)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
        // The block number shares a word with the purpose: a stream
        // gives 2^24 blocks of two numbers, far more than any use here.
        counter_{static_cast<std::uint32_t>(purpose) << 24, ply, static_cast<std::uint32_t>(game),
                 static_cast<std::uint32_t>(game >> 32)} {}

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  result_type operator()() {
    if (used_ == 2) {
      fill();
      ++counter_[0];
      used_ = 0;
    }
    return numbers_[used_++];
  }

  // Uniform in [0, 1) with 53 bits.
  double uniform() { return static_cast<double>((*this)() >> 11) * 0x1.0p-53; }

  // Uniform in 0..bound-1 (bound >= 1), by the high half of a product (Lemire 2019, without the
  // rejection step: for bounds below 2^16 the bias is under 2^-48).
  std::uint32_t below(std::uint32_t bound) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint32_t>((static_cast<Wide>((*this)()) * bound) >> 64);
  }

 private:
  void fill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint64_t, 2> numbers_ = {};
  int used_ = 2;
};

// One of the moves in `moves` (not 0), each with the same probability; takes one number.
Move random_move(LegalMask moves, RandomStream& stream);

}  // namespace awale::env
