#include "nn/position_key.hpp"

#include <bit>

#include "nn/encoder_past.hpp"

namespace awale::nn {
namespace {

// The finalizer of MurmurHash3.
std::uint64_t mix(std::uint64_t value) {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdULL;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53ULL;
  return value ^ (value >> 33);
}

}  // namespace

PositionKey position_key(const env::RuleSet& rules, const env::Position& position) {
  const env::Board& board = position.board;
  FeatureValues values = {};
  encode_past(rules.ply_limit, position, values.value);
  return {board.pits, board.store_to_move, board.store_opponent, values.value[kPastColumn]};
}

std::uint64_t hash(const PositionKey& key) {
  const auto halves = std::bit_cast<std::array<std::uint64_t, 2>>(key);
  return mix(halves[0] ^ mix(halves[1] + 0x9e3779b97f4a7c15ULL));
}

}  // namespace awale::nn
