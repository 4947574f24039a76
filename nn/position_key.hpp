// All that a network reads of a position, as 16 bytes that compare: what a cache of evaluations is
// keyed with.
//
// Under one set of rules equal keys mean equal features (encoder.hpp), so equal outputs of every
// network. Counts that the encoder puts into steps are steps here, too; pits and stores are whole,
// because what a move takes depends on every seed. Not the side to move: positions are seen from
// the mover, so mirrored ones look alike.
//
// Pure functions, callable from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "env/game.hpp"
#include "env/rules.hpp"

namespace awale::nn {

struct alignas(16) PositionKey {
  std::array<std::uint8_t, env::kPits> pits = {};  // 0..5 the mover's, 6..11 the opponent's
  std::uint8_t store_to_move = 0;
  std::uint8_t store_opponent = 0;
  std::uint8_t past = 0;      // quiet plies, repetitions, plies left: encode_past()
  std::uint8_t reserved = 0;  // always 0

  friend bool operator==(const PositionKey& left, const PositionKey& right) {
    return std::memcmp(&left, &right, sizeof(PositionKey)) == 0;
  }
};
static_assert(sizeof(PositionKey) == 16);

// Keys compare only under the same rules, which are no part of them.
PositionKey position_key(const env::RuleSet& rules, const env::Position& position);

// A 64-bit hash of all 16 bytes, every bit of it as good as any other.
std::uint64_t hash(const PositionKey& key);

}  // namespace awale::nn
