// What a move takes, for the encoder's kernel for AVX-512: a player's six pits, or eight boards,
// side by side in a register, a word of 64 bits each, in which a row is six bytes. The same word
// operations as in capture_lookup.cpp. In an unnamed namespace, as all that a kernel includes.
#pragma once

#include <immintrin.h>

#include "nn/encoder_kernel.hpp"

namespace awale::nn {
namespace {

typedef std::uint64_t Words __attribute__((vector_size(64), may_alias));

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr __mmask8 kRow = 0x3f;  // the lanes of a row's pits

constexpr std::uint64_t kSownBytes = 0xffffffffffff;
constexpr int kLap = env::kPits - 1;  // sowing leaves out its origin

// Sowing n seeds from pit i drops one into pit 6 + j of the opponent's row each time that a lap of
// 11 comes by: (n + 5 + i - j) / 11 of them. The last one falls (n - 1) % 11 + 1 pits beyond i. So
// byte j of lane i looks up n + index[i][j] in a table of 64 quotients, and byte 7 looks up n in
// another of 64 distances. Pit j of the own row is j - i pits beyond i, or 12 + j - i, and gets its
// seeds likewise (own_index); the origin itself looks up no seeds.
struct SowingTables {
  std::uint8_t quotient[64] = {};
  std::uint8_t distance_bits[64] = {};  // 8 a pit, 0 for no seeds
  std::uint8_t index[8][8] = {};
  std::uint8_t own_index[8][8] = {};

  consteval SowingTables() {
    for (int n = 0; n < 64; ++n) {
      quotient[n] = static_cast<std::uint8_t>(n / kLap);
      distance_bits[n] = static_cast<std::uint8_t>(n == 0 ? 0 : 8 * ((n - 1) % kLap + 1));
    }
    for (int i = 0; i < env::kPitsPerSide; ++i) {
      for (int j = 0; j < env::kPitsPerSide; ++j)
        index[i][j] = static_cast<std::uint8_t>(kLap - (env::kPitsPerSide + j - i));
      index[i][7] = 64;
      for (int j = 0; j < env::kPitsPerSide; ++j)
        own_index[i][j] = static_cast<std::uint8_t>(kLap - (env::kPits + j - i) % env::kPits);
    }
  }
};

alignas(64) constexpr SowingTables kSowing;

// The rules as the kernel needs them.
struct Rules {
  explicit Rules(const env::RuleSet& rules)
      : shift_to_two_three(rules.capture_counts == env::CaptureCounts::kTwoThree ? 0 : kOnes),
        slams_void(rules.grand_slam == env::GrandSlam::kNoCapture ||
                           rules.grand_slam == env::GrandSlam::kIllegal
                       ? 0xff
                       : 0),
        slams_forbidden(rules.grand_slam == env::GrandSlam::kIllegal ||
                                rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly
                            ? 0xff
                            : 0),
        only_slams_allowed(rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly),
        must_feed(rules.must_feed),
        plays_on(rules.cannot_feed == env::CannotFeed::kPlaysOn),
        ply_limit(rules.ply_limit) {}

  std::uint64_t shift_to_two_three;  // added to a row, turns the capturable counts into 2 and 3
  __mmask8 slams_void;               // all or none: a grand slam takes nothing
  __mmask8 slams_forbidden;          // all or none: a grand slam is illegal ...
  bool only_slams_allowed;           // ... unless nothing else is legal
  bool must_feed;
  bool plays_on;  // whoever cannot feed
  int ply_limit;
};

inline Words words(std::uint64_t value) {
  return Words{} + value;
}

struct Takes {
  Words taken;     // seeds
  __mmask8 pits;   // not empty
  __mmask8 slams;  // would take everything
  Words opponent;  // his row afterwards
};

// Byte i of a row in all bytes of lane i.
inline __m512i spread(__m128i row) {
  constexpr Words kLane = {0,         kOnes,     2 * kOnes, 3 * kOnes,
                           4 * kOnes, 5 * kOnes, 6 * kOnes, 7 * kOnes};
  return _mm512_maskz_permutexvar_epi8(~0ULL, (__m512i)kLane, _mm512_zextsi128_si512(row));
}

// Brings the byte of the last seed's pit to the top if it is one of the opponent's: 8 * (13 - i)
// less the distance.
constexpr Words kShift = {104, 96, 88, 80, 72, 64, 0, 0};

// What a move in each lane takes. seeds: those of its pit, in all bytes; index and last_shift: the
// pit's own of kSowing.index and kShift; opponent: the other row.
[[gnu::always_inline]] inline Takes takes(const Rules& rules, __m512i seeds, __m512i index,
                                          Words last_shift, Words opponent) {
  const Words sowing = (Words)_mm512_permutex2var_epi8(_mm512_load_si512(kSowing.quotient),
                                                       _mm512_add_epi8(seeds, index),
                                                       _mm512_load_si512(kSowing.distance_bits));
  const Words sown = (sowing & kSownBytes) + opponent;
  const Words shift = last_shift - (sowing >> 56);
  // A byte is 0 where the count is capturable (2 or 3 after the shift); adding 0x7f then leaves the
  // top bit clear exactly there.
  const Words differs = ((sown + rules.shift_to_two_three) & (kOnes * 0xfe)) ^ (kOnes * 0x02);
  const Words kept = (differs + kOnes * 0x7f) & (kOnes * 0x80);
  // The chain is the run of clear top bits from the landing pit down; below pit 0 there is nothing
  // to take.
  const Words chain_bits =
      (Words)_mm512_lzcnt_epi64(_mm512_maskz_sllv_epi64(0xff, (__m512i)kept, (__m512i)shift));
  const Words beyond =
      (Words)_mm512_maskz_srlv_epi64(0xff, (__m512i)words(~0ULL), (__m512i)chain_bits);
  const Words landed = (Words)_mm512_maskz_sllv_epi64(0xff, (__m512i)sown, (__m512i)shift);
  const Words all = (Words)_mm512_sad_epu8((__m512i)sown, __m512i{});
  const Words chain_bytes = landed & ~beyond;
  const Words chain = (Words)_mm512_sad_epu8((__m512i)chain_bytes, __m512i{});
  const auto captures = static_cast<__mmask8>(
      _mm512_cmple_epu64_mask((__m512i)(shift - 16), (__m512i)words(56 - 16)) &
      _mm512_test_epi64_mask((__m512i)chain, (__m512i)chain));
  const __mmask8 slams = _mm512_mask_cmpeq_epi64_mask(captures, (__m512i)chain, (__m512i)all);
  const auto counts = static_cast<__mmask8>(captures & ~(slams & rules.slams_void));
  const Words taken = (Words)_mm512_maskz_mov_epi64(counts, (__m512i)chain);
  const __mmask8 pits = _mm512_test_epi64_mask(seeds, seeds);
  const Words captured =
      (Words)_mm512_maskz_srlv_epi64(counts, (__m512i)chain_bytes, (__m512i)shift);
  return {taken, pits, slams, sown & ~captured};
}

}  // namespace
}  // namespace awale::nn
