// What can be taken and gained on eight boards at once, for the encoder's kernel for AVX-512: the
// same as CaptureLookup's most_taken() and best_gain(), which cuts branches off where this computes
// all of them. In an unnamed namespace, as all that a kernel includes.
#pragma once

#include <bit>

#include "nn/encoder_takes_avx512.hpp"

namespace awale::nn {
namespace {

// Both rows in each lane, of the player to move and of the other.
struct RowPair {
  Words own;
  Words opponent;
};

// Where byte 0 of each lane is for a shuffle, which stays within 16 bytes.
constexpr Words kLanes = {0, kOnes * 8, 0, kOnes * 8, 0, kOnes * 8, 0, kOnes * 8};

// Byte `pit` of each lane in all of its bytes.
[[gnu::always_inline]] inline __m512i seeds_of(Words own, int pit) {
  const Words bytes = kLanes + kOnes * static_cast<std::uint64_t>(pit);
  return _mm512_maskz_shuffle_epi8(~0ULL, (__m512i)own, (__m512i)bytes);
}

// The same pit of `own` in every lane.
[[gnu::always_inline]] inline Takes takes_of(const Rules& rules, __m512i seeds, int pit,
                                             Words opponent) {
  std::uint64_t index = 0;
  __builtin_memcpy(&index, kSowing.index[pit], sizeof index);
  return takes(rules, seeds, (__m512i)words(index), words(kShift[pit]), opponent);
}

// `own` after its move from `pit`.
[[gnu::always_inline]] inline Words own_after(__m512i seeds, int pit, Words own) {
  std::uint64_t index = 0;
  __builtin_memcpy(&index, kSowing.own_index[pit], sizeof index);
  const __mmask64 others = (0x3f ^ 1ULL << pit) * kOnes;
  const __m512i sown = _mm512_maskz_permutexvar_epi8(
      others, _mm512_add_epi8(seeds, (__m512i)words(index)), _mm512_load_si512(kSowing.quotient));
  return (Words)_mm512_mask_add_epi8(__m512i{}, others, sown, (__m512i)own);
}

[[gnu::always_inline]] inline Words larger(Words left, Words right) {
  return (Words)_mm512_maskz_max_epi64(0xff, (__m512i)left, (__m512i)right);
}

// As most_taken(), of the pits that have a byte in `laps`.
[[gnu::noinline]] Words most_taken_after_laps(const Rules& rules, const RowPair& rows,
                                              __mmask64 laps) {
  Words most = {};
#pragma GCC unroll 6
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    if ((laps & kOnes << pit) == 0) continue;
    most = larger(most, takes_of(rules, seeds_of(rows.own, pit), pit, rows.opponent).taken);
  }
  return most;
}

// Byte j: what the last seed of less than a lap takes if it falls into the opponent's pit j. Each
// pit up to there gets one seed, so it is decided by his row alone.
[[gnu::always_inline]] inline Words taken_at(const Rules& rules, Words opponent) {
  constexpr __mmask64 kSixPits = 0x3f * kOnes;
  const Words sown = opponent + kOnes;
  const Words counts = (sown + rules.shift_to_two_three) & (kOnes * 0xfe);
  const __mmask64 capturable =
      _mm512_mask_cmpeq_epi8_mask(kSixPits, (__m512i)counts, (__m512i)words(kOnes * 0x02));
  // The sums of the runs of capturable pits down from each: of 2, then 4, then all.
  Words run = (Words)_mm512_movm_epi8(capturable);
  Words taken = sown & run;
  taken += taken << 8 & run;
  run &= run << 8;
  taken += taken << 16 & run;
  run &= run << 16;
  taken += taken << 32 & run;
  if (rules.slams_void == 0) return taken;
  const auto seeds = _mm512_sad_epu8((__m512i)opponent, __m512i{});
  const Words all =
      (Words)seeds_of((Words)seeds, 0) + 0x0605'0403'0201;  // a seed in each pit up to here
  return (Words)_mm512_maskz_mov_epi8(_mm512_cmpneq_epi8_mask((__m512i)taken, (__m512i)all),
                                      (__m512i)taken);
}

// The most that whoever is to move could take.
[[gnu::always_inline]] inline Words most_taken(const Rules& rules, const RowPair& rows) {
  // The opponent's pit that the last seed of each pit falls into; 6, where nothing is taken, for
  // all others.
  constexpr std::uint64_t kFirst = 0x8080'fffe'fdfc'fbfa;  // pit - 6
  const __m512i beyond = _mm512_add_epi8((__m512i)rows.own, (__m512i)words(kFirst));
  const __m512i pits = _mm512_min_epu8(beyond, (__m512i)words(kOnes * env::kPitsPerSide));
  Words most = (Words)_mm512_shuffle_epi8((__m512i)taken_at(rules, rows.opponent),
                                          (__m512i)((Words)pits | kLanes));
  most = (Words)_mm512_max_epu8((__m512i)most, (__m512i)(most >> 32));
  most = (Words)_mm512_max_epu8((__m512i)most, (__m512i)(most >> 16));
  most = (Words)_mm512_max_epu8((__m512i)most, (__m512i)(most >> 8));
  most &= 0xff;
  const auto lap = (__m512i)words(kOnes * (kLap + 1));
  const __mmask64 laps = _mm512_cmpge_epu8_mask((__m512i)rows.own, lap);
  return laps == 0 ? most : larger(most, most_taken_after_laps(rules, rows, laps));
}

// Move by move, what is taken less what the other gains by his answers: the most of it, none where
// there is no move.
class Gains {
 public:
  [[gnu::always_inline]] void add(const Takes& move, Words answered) {
    best_ = (Words)_mm512_mask_max_epi64((__m512i)best_, move.pits, (__m512i)best_,
                                         (__m512i)(move.taken - answered));
    moved_ |= move.pits;
  }
  [[gnu::always_inline]] Words best() const {
    return (Words)_mm512_maskz_mov_epi64(moved_, (__m512i)best_);
  }

 private:
  Words best_ = Words{} - std::uint64_t{env::kSeeds};
  __mmask8 moved_ = 0;
};

// The most that whoever is to move can gain over the other by a move and his answer.
inline Words gain_in_two(const Rules& rules, const RowPair& rows) {
  Gains gains;
#pragma GCC unroll 6
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    const __m512i seeds = seeds_of(rows.own, pit);
    const Takes move = takes_of(rules, seeds, pit, rows.opponent);
    gains.add(move, most_taken(rules, {move.opponent, own_after(seeds, pit, rows.own)}));
  }
  return gains.best();
}

inline __m512i compressed(Words values, __mmask8 lanes) {
  return _mm512_maskz_compress_epi64(lanes, (__m512i)values);
}

// And by another move, in the lanes of `boards`. The boards after each first move that there is, 36
// at most, lie side by side.
inline Words gain_in_three(const Rules& rules, const RowPair& rows, __mmask8 boards) {
  static_assert(kGainPlies == 4);
  constexpr int kMost = env::kMoves * 8;
  alignas(64) std::uint64_t own[kMost] = {};
  alignas(64) std::uint64_t opponent[kMost] = {};
  alignas(64) std::uint64_t answered[kMost];
  Takes moves[env::kMoves];
  __mmask8 made[env::kMoves];
  int first[env::kMoves];
  int count = 0;
#pragma GCC unroll 6
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    const __m512i seeds = seeds_of(rows.own, pit);
    moves[pit] = takes_of(rules, seeds, pit, rows.opponent);
    made[pit] = moves[pit].pits & boards;
    first[pit] = count;
    _mm512_storeu_si512(own + count, compressed(moves[pit].opponent, made[pit]));
    _mm512_storeu_si512(opponent + count, compressed(own_after(seeds, pit, rows.own), made[pit]));
    count += std::popcount(made[pit]);
  }
  for (int board = 0; board < count; board += 8) {
    const RowPair eight = {(Words)_mm512_load_si512(own + board),
                           (Words)_mm512_load_si512(opponent + board)};
    _mm512_store_si512(answered + board, (__m512i)gain_in_two(rules, eight));
  }
  Gains gains;
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    gains.add(moves[pit], (Words)_mm512_maskz_expand_epi64(
                              made[pit], _mm512_loadu_si512(answered + first[pit])));
  }
  return gains.best();
}

}  // namespace
}  // namespace awale::nn
