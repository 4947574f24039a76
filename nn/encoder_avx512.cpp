// The encoder's kernel for AVX-512 with VBMI, CD and VL: the six pits of a row side by side.
#include "nn/encoder_gain_avx512.hpp"
#include "nn/encoder_past.hpp"

namespace awale::nn {
namespace {

// The own row after each of its moves. seeds: spread(row).
inline Words own_rows(__m512i seeds, __m128i row) {
  constexpr __mmask64 kOthers = 0x1f'2f'37'3b'3d'3e;  // byte j of lane i, j not i
  const __m512i sown = _mm512_maskz_permutexvar_epi8(
      kOthers, _mm512_add_epi8(seeds, _mm512_load_si512(kSowing.own_index)),
      _mm512_load_si512(kSowing.quotient));
  return (Words)_mm512_mask_add_epi8(__m512i{}, kOthers, sown,
                                     _mm512_maskz_broadcastq_epi64(0xff, row));
}

// Of a "takes" or a "reply" block, for the moves that there are.
inline Words steps(Words taken, __mmask8 moves) {
  const __m512i most = _mm512_maskz_min_epu64(0xff, (__m512i)taken, (__m512i)words(kMaxTakes));
  return (Words)_mm512_maskz_add_epi64(moves, most, (__m512i)words(kTakesZero));
}

// Of the "gain" blocks.
inline Words gain_steps(Words gain, __mmask8 moves) {
  const auto most = (__m512i)words(kMaxGain);
  const __m512i clipped = _mm512_maskz_max_epi64(
      0xff, _mm512_maskz_min_epi64(0xff, (__m512i)gain, most), (__m512i)(Words{} - kMaxGain));
  return (Words)_mm512_maskz_add_epi64(moves, clipped, (__m512i)words(kGainZero));
}

// As env::legal_moves().
inline __mmask8 legal_moves(const Rules& rules, const Takes& own, __m128i row,
                            std::uint64_t opponent) {
  __mmask8 moves = own.pits & kRow;
  if (rules.must_feed && opponent == 0) {
    constexpr Words kReach = {6, 5, 4, 3, 2, 1, 0, 0};
    const __m512i seeds = _mm512_maskz_cvtepu8_epi64(kRow, row);
    const __mmask8 feeding = _mm512_mask_cmpge_epu64_mask(moves, seeds, (__m512i)kReach);
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
  const Words own_values = (Words)_mm512_mask_mov_epi64((__m512i)steps(own.taken, own.pits),
                                                        own.pits & static_cast<__mmask8>(~legal),
                                                        (__m512i)words(kTakesIllegal));
  const RowPair moved = {own.opponent, own_rows(own_seeds, board)};
  const RowPair threatened = {opponent.opponent, own_rows(opponent_seeds, turned)};
  const Words gain = own.taken - gain_in_three(rules, moved, legal);
  const std::uint64_t parts[5] = {bytes(own_values), bytes(steps(opponent.taken, opponent.pits)),
                                  bytes(steps(most_taken(rules, moved), legal)),
                                  bytes(steps(most_taken(rules, threatened), opponent.pits)),
                                  bytes(gain_steps(gain, legal))};
  // Eight bytes each, of which two are overwritten: by the next ones, then by the past.
  static_assert(kReplyColumn == kTakesColumn + env::kPits);
  for (int part = 0; part < 5; ++part)
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
