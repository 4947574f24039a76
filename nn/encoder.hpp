// Turns a position into the indices of the K features that are active (1, all others 0) out of F.
//
// Every feature block is one-hot: exactly one of its features is active in every position, so a
// position is K indices, column k of the output lies in block k, and the first layer of a network
// is a sum of K rows of its weights. Everything is seen from the player to move; who that is, is no
// feature, so mirrored positions look alike. Records keep boards, never features: a changed encoder
// reads old data. Changing anything here that changes an index means a new kEncoderVersion.
//
// Pure functions, callable from any thread.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "env/game.hpp"
#include "env/rules.hpp"

namespace awale::nn {

inline constexpr int kEncoderVersion = 3;
inline constexpr int kActiveFeatures = 56;  // K
inline constexpr int kFeatures = 800;       // F

// Version 1 had no "reply" blocks, versions 1 and 2 no "gain" blocks; all else was the same, so a
// network of them is one of today's with zeros there.
inline constexpr int kFirstEncoderVersion = 1;

// Features first..first+size-1, of which exactly one is active.
struct FeatureBlock {
  std::string_view name;    // "pit.to_move.0", "rules.grand_slam"
  std::string_view values;  // what its features stand for, in order
  int first = 0;
  int size = 0;
};

// The K blocks in the order of their columns; first indices ascend without gaps from 0 to F. The
// one table that the encoder, the exports and the documentation share.
std::span<const FeatureBlock> feature_blocks();

// The blocks that a position decides: 0..kBoardColumns-1. The others hold the rules.
inline constexpr int kBoardColumns = 47;

// Beyond them: quiet_plies, repetitions and plies_left as one number, (q * 3 + r) * 10 + p.
inline constexpr int kPastColumn = 47;
inline constexpr int kPastValues = 240;

// A position as the value that holds in each of its blocks (index minus the block's first).
struct alignas(64) FeatureValues {
  std::uint8_t value[64];  // [kBoardColumns], [kPastColumn], 0
};

// values: [B]. The positions are not over under `rules`; counts beyond a block's last value fall
// into it.
void encode_values(const env::RuleSet& rules, std::span<const env::Position> positions,
                   std::span<FeatureValues> values);

// The indices of the rules' blocks, equal for all positions.
using RuleIndices = std::array<std::int32_t, kActiveFeatures - kBoardColumns>;
RuleIndices rule_indices(const env::RuleSet& rules);

// Writes K indices a position, `indices` [B, K] row-major, of positions as above.
void encode(const env::RuleSet& rules, std::span<const env::Position> positions,
            std::span<std::int32_t> indices);

}  // namespace awale::nn
