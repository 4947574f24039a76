// The encoder's kernel for every machine, and the list of all.
#include <algorithm>
#include <vector>

#include "nn/capture_lookup.hpp"
#include "nn/encoder_past.hpp"

namespace awale::nn {

#if defined(AWALE_X86_KERNELS)
extern const EncoderKernel kAvx512Encoder;
#endif

namespace {

// moves: [6] values of the "takes" blocks of `own`.
void encode_replies(const CaptureLookup& lookup, RowBytes own, RowBytes opponent,
                    const std::uint8_t* moves, std::uint8_t* value) {
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    value[pit] = kTakesEmpty;
    if (moves[pit] == kTakesEmpty || moves[pit] == kTakesIllegal) continue;
    const Rows rows = lookup.after(pit, own, opponent);
    const int most = lookup.most_taken(rows.opponent, rows.own);
    value[pit] = static_cast<std::uint8_t>(kTakesZero + std::min(most, kMaxTakes));
  }
}

// The "gain" blocks of `own`. moves: as above.
void encode_gains(const CaptureLookup& lookup, RowBytes own, RowBytes opponent,
                  const std::uint8_t* moves, std::uint8_t* value) {
  const int seeds = row_sum(own) + row_sum(opponent);
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    value[pit] = kTakesEmpty;
    if (moves[pit] == kTakesEmpty || moves[pit] == kTakesIllegal) continue;
    const Rows rows = lookup.after(pit, own, opponent);
    const int taken = seeds - row_sum(rows.own) - row_sum(rows.opponent);
    const int lost = lookup.best_gain(rows.opponent, rows.own, kGainPlies - 1, taken - kMaxGain,
                                      taken + kMaxGain);
    value[pit] =
        static_cast<std::uint8_t>(kGainZero + std::clamp(taken - lost, -kMaxGain, kMaxGain));
  }
}

// The "takes" blocks at `value`, and the "reply" and "gain" blocks, which follow them.
void encode_moves(const env::RuleSet& rules, const CaptureLookup& lookup, const env::Board& board,
                  std::uint8_t* value) {
  const RowBytes own = row_bytes(board, 0);
  const RowBytes opponent = row_bytes(board, env::kPitsPerSide);
  const auto own_takes = lookup.captures(own, opponent);
  const auto opponent_takes = lookup.captures(opponent, own);
  const env::LegalMask legal = env::legal_moves(rules, board);
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    int takes = kTakesZero + std::min<int>(own_takes[pit], kMaxTakes);
    if ((legal >> pit & 1) == 0) takes = kTakesIllegal;
    if (board.pits[pit] == 0) takes = kTakesEmpty;
    value[pit] = static_cast<std::uint8_t>(takes);
  }
  for (int pit = 0; pit < env::kPitsPerSide; ++pit) {
    int takes = kTakesZero + std::min<int>(opponent_takes[pit], kMaxTakes);
    if (board.pits[env::kPitsPerSide + pit] == 0) takes = kTakesEmpty;
    value[env::kPitsPerSide + pit] = static_cast<std::uint8_t>(takes);
  }
  std::uint8_t* replies = value + (kReplyColumn - kTakesColumn);
  encode_replies(lookup, own, opponent, value, replies);
  encode_replies(lookup, opponent, own, value + env::kPitsPerSide, replies + env::kPitsPerSide);
  encode_gains(lookup, own, opponent, value, value + (kGainColumn - kTakesColumn));
}

void encode_counts(const env::Board& board, std::uint8_t* value) {
  for (int pit = 0; pit < env::kPits; ++pit)
    value[kPitColumn + pit] = std::min<std::uint8_t>(board.pits[pit], kPitValues - 1);
  value[kStoreColumn] = std::min<std::uint8_t>(board.store_to_move, kStoreValues - 1);
  value[kStoreColumn + 1] = std::min<std::uint8_t>(board.store_opponent, kStoreValues - 1);
}

void encode_portable(const env::RuleSet& rules, const env::Position* positions, long count,
                     FeatureValues* values) {
  const CaptureLookup lookup(rules);
  for (long i = 0; i < count; ++i) {
    values[i] = {};
    encode_counts(positions[i].board, values[i].value);
    encode_moves(rules, lookup, positions[i].board, values[i].value + kTakesColumn);
    encode_past(rules.ply_limit, positions[i], values[i].value);
  }
}

std::vector<EncoderKernel> find_encoder_kernels() {
  std::vector<EncoderKernel> found;
#if defined(AWALE_X86_KERNELS)
  if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512cd") &&
      __builtin_cpu_supports("avx512vl")) {
    found.push_back(kAvx512Encoder);
  }
#endif
  found.push_back({"portable", encode_portable});
  return found;
}

}  // namespace

std::span<const EncoderKernel> encoder_kernels() {
  static const std::vector<EncoderKernel> found = find_encoder_kernels();
  return found;
}

}  // namespace awale::nn
