// The encoder's kernel for AVX-512 with VBMI, CD and VL: the six pits of a row side by side, a word
// of 64 bits each, in which the opponent's row is six bytes. The same word operations as in
// capture_lookup.cpp, without the loop over the pits.
#include <immintrin.h>

#include "nn/encoder_past.hpp"

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
  Words values;    // of the "takes" blocks, legality aside
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
  const Words taken =
      (Words)_mm512_maskz_min_epu64(counts, (__m512i)chain, (__m512i)words(kMaxTakes));
  const __mmask8 pits = _mm512_test_epi64_mask(seeds, seeds) & kRow;
  const Words values =
      (Words)_mm512_maskz_add_epi64(pits, (__m512i)taken, (__m512i)words(kTakesZero));
  const Words captured =
      (Words)_mm512_maskz_srlv_epi64(counts, (__m512i)chain_bytes, (__m512i)shift);
  return {values, pits, slams, sown & ~captured};
}

// The own row after each of its moves. seeds: spread(row).
inline Words own_rows(__m512i seeds, __m128i row) {
  constexpr __mmask64 kOthers = 0x1f'2f'37'3b'3d'3e;  // byte j of lane i, j not i
  const __m512i sown = _mm512_maskz_permutexvar_epi8(
      kOthers, _mm512_add_epi8(seeds, _mm512_load_si512(kSowing.own_index)),
      _mm512_load_si512(kSowing.quotient));
  return (Words)_mm512_mask_add_epi8(__m512i{}, kOthers, sown,
                                     _mm512_maskz_broadcastq_epi64(0xff, row));
}

// The "reply" blocks of `moves`: the most that a pit of `own`, lane by lane, could take from
// `opponent`. The other player's pits one after the other, the moves that he replies to side by
// side.
inline Words replies(const Rules& rules, Words own, Words opponent, __mmask8 moves) {
  Words most = words(kTakesZero);
#pragma GCC unroll 6
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    // Byte `pit` of each lane in all of its bytes: shuffles stay within 16 bytes.
    const Words both = {kOnes * 0, kOnes * 8, kOnes * 0, kOnes * 8,
                        kOnes * 0, kOnes * 8, kOnes * 0, kOnes * 8};
    const __m512i seeds = _mm512_maskz_shuffle_epi8(
        ~0ULL, (__m512i)own, (__m512i)(both + kOnes * static_cast<std::uint64_t>(pit)));
    std::uint64_t index = 0;
    __builtin_memcpy(&index, kSowing.index[pit], sizeof index);
    const Takes reply = takes(rules, seeds, (__m512i)words(index), words(kShift[pit]), opponent);
    most = (Words)_mm512_maskz_max_epu64(0xff, (__m512i)most, (__m512i)reply.values);
  }
  return (Words)_mm512_maskz_mov_epi64(moves, (__m512i)most);
}

// As env::legal_moves().
inline __mmask8 legal_moves(const Rules& rules, const Takes& own, __m128i row,
                            std::uint64_t opponent) {
  __mmask8 moves = own.pits;
  if (rules.must_feed && opponent == 0) {
    constexpr Words kReach = {6, 5, 4, 3, 2, 1, 0, 0};
    const __m512i seeds = _mm512_maskz_cvtepu8_epi64(kRow, row);
    const __mmask8 feeding = _mm512_mask_cmpge_epu64_mask(own.pits, seeds, (__m512i)kReach);
    if (feeding != 0 || !rules.plays_on) moves = feeding;
  }
  const auto others = static_cast<__mmask8>(moves & ~(own.slams & rules.slams_forbidden));
  return others == 0 && rules.only_slams_allowed ? moves : others;
}

inline std::uint64_t bytes(Words values) {
  return static_cast<std::uint64_t>(
      _mm_cvtsi128_si64(_mm512_maskz_cvtepi64_epi8(kRow, (__m512i)values)));
}

inline void encode_one(const Rules& rules, const env::Position& position, std::uint8_t* value) {
  const __m128i board = _mm_load_si128(reinterpret_cast<const __m128i*>(&position.board));
  const __m128i limits = _mm_setr_epi8(24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24, 24,
                                       kStoreValues - 1, kStoreValues - 1, 0, 0);
  _mm512_store_si512(value, __m512i{});
  _mm_store_si128(reinterpret_cast<__m128i*>(value), _mm_min_epu8(board, limits));
  const __m128i turned = _mm_srli_si128(board, env::kPitsPerSide);
  const auto own_row = static_cast<std::uint64_t>(_mm_cvtsi128_si64(board)) & kSownBytes;
  const auto opponent_row = static_cast<std::uint64_t>(_mm_cvtsi128_si64(turned)) & kSownBytes;
  const __m512i index = _mm512_load_si512(kSowing.index);
  const __m512i own_seeds = spread(board);
  const __m512i opponent_seeds = spread(turned);
  const Takes own = takes(rules, own_seeds, index, kShift, words(opponent_row));
  const Takes opponent = takes(rules, opponent_seeds, index, kShift, words(own_row));
  const __mmask8 legal = legal_moves(rules, own, board, opponent_row);
  const Words own_values = (Words)_mm512_mask_mov_epi64(
      (__m512i)own.values, own.pits & static_cast<__mmask8>(~legal), (__m512i)words(kTakesIllegal));
  const Words own_replies = replies(rules, own.opponent, own_rows(own_seeds, board), legal);
  const Words opponent_replies =
      replies(rules, opponent.opponent, own_rows(opponent_seeds, turned), opponent.pits);
  const std::uint64_t parts[4] = {bytes(own_values), bytes(opponent.values), bytes(own_replies),
                                  bytes(opponent_replies)};
  // Eight bytes each, of which two are overwritten: by the next ones, then by the past.
  static_assert(kReplyColumn == kTakesColumn + env::kPits);
  for (int part = 0; part < 4; ++part)
    __builtin_memcpy(value + kTakesColumn + part * env::kPitsPerSide, &parts[part], 8);
  encode_past(rules.ply_limit, position, value);
}

void encode_avx512(const env::RuleSet& rule_set, const env::Position* positions, long count,
                   FeatureValues* values) {
  const Rules rules(rule_set);
  for (long i = 0; i < count; ++i)
    encode_one(rules, positions[i], values[i].value);
}

}  // namespace

extern const EncoderKernel kAvx512Encoder;
const EncoderKernel kAvx512Encoder = {"avx512", encode_avx512};

}  // namespace awale::nn
