// A board as two words, for a search that looks at hundreds of millions of them: each row's six
// pits in the low six bytes, its player's store in the seventh. Turning the board to the other
// player's view swaps the words; all pits are sown, compared and captured at once.
//
// Everything here is a second wording of `env/board.hpp` for positions whose rules are settled
// beforehand; tests hold the two together. Seeds on a board: at most 48.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "env/board.hpp"

namespace awale::mcts {

// Bytes 0..5: pits in sowing direction; byte 6: the store; byte 7: 0.
using Row = std::uint64_t;

constexpr Row kPitBytes = 0x0000ffffffffffff;
constexpr int kRowStoreShift = 48;

constexpr Row in_every_pit(int value) {
  return kPitBytes / 0xff * static_cast<Row>(value);
}

// What a comparison of pits gives: the highest bit of each pit.
constexpr Row kFlags = in_every_pit(0x80);

struct Rows {
  Row own = 0;    // the mover's
  Row other = 0;  // the opponent's

  friend bool operator==(const Rows&, const Rows&) = default;
};

Rows packed_rows(const env::Board& board);
env::Board to_board(const Rows& rows, env::Side to_move);

inline int store_of(Row row) {
  return static_cast<int>(row >> kRowStoreShift);
}

// Stores of the mover minus the opponent's.
inline int store_difference(const Rows& rows) {
  return store_of(rows.own) - store_of(rows.other);
}

inline int pit_seeds(Row row, int pit) {
  return static_cast<int>(row >> (8 * pit) & 0xff);
}

// Sum of all pits; at most 255.
inline int seeds_in(Row row) {
  return static_cast<int>((row & kPitBytes) * 0x0101010101010101 >> 56);
}

// Flags of the pits that hold at least `count` seeds, 1..128.
inline Row pits_with(Row row, int count) {
  return ((row & kPitBytes) + in_every_pit(0x80 - count)) & kFlags;
}

// Whether at least two flags are set.
inline bool two_or_more(Row flags) {
  return (flags & (flags - 1)) != 0;
}

// Bit i: flag of pit i.
inline env::LegalMask to_mask(Row flags) {
  return static_cast<env::LegalMask>((flags >> 7) * 0x0102040810204080 >> 56);
}

// 0xff in every flagged pit.
inline Row whole_pits(Row flags) {
  return (flags << 1) - (flags >> 7);
}

// What of the rules a capture needs.
struct CaptureRules {
  explicit CaptureRules(const env::RuleSet& rules)
      : raise(in_every_pit(rules.capture_counts == env::CaptureCounts::kTwoThree ? 0 : 1)),
        slam_takes(rules.grand_slam == env::GrandSlam::kCapture ||
                   rules.grand_slam == env::GrandSlam::kIllegalUnlessOnly) {}

  Row raise;        // {2, 3} are the counts that differ from 2 in the lowest bit only; {1, 2} are
                    // one less
  bool slam_takes;  // whether a legal grand slam takes the seeds
};

// kSowing[move][seeds]: what sowing adds to the mover's row (it empties the origin) and to the
// opponent's; there the flag of a pit says that the last seed falls into it, as no pit gains 128.
struct Sowing {
  Row own;
  Row other;
};
constexpr int kSowingSeeds = 64;  // 49 are used
extern const std::array<std::array<Sowing, kSowingSeeds>, env::kMoves> kSowing;
// The second half alone.
extern const std::array<std::array<Row, kSowingSeeds>, env::kMoves> kSowingOther;

// The seeds taken where `sown` is the opponent's row after sowing and `landing` the flag of the
// last seed's pit, 0 in the mover's row. The chain runs from there backwards.
inline Row taken_pits(const CaptureRules& rules, Row sown, Row landing) {
  const Row pits = sown & kPitBytes;
  const Row differs = ((pits + rules.raise) ^ in_every_pit(2)) & in_every_pit(0xfe);
  Row run = (kFlags - differs) & kFlags;  // flags of the pits that may be captured
  Row chain = landing & run;              // grows to 2, 4, 8 pits
  chain |= run & chain >> 8;
  run &= run >> 8;
  chain |= run & chain >> 16;
  run &= run >> 16;
  chain |= run & chain >> 32;
  const Row taken = pits & whole_pits(chain);
  return taken == pits && !rules.slam_takes ? 0 : taken;
}

// The position after `move` from a pit that holds seeds, seen by the next player.
struct Successor {
  Rows rows;
  int captured = 0;
};

inline Successor play(const CaptureRules& rules, const Rows& rows, int move) {
  const Sowing& sowing = kSowing[move][pit_seeds(rows.own, move)];
  const Row sown = rows.other + (sowing.other & ~kFlags);
  const Row taken = taken_pits(rules, sown, sowing.other & kFlags);
  const int captured = seeds_in(taken);
  const Row own = rows.own + sowing.own + (static_cast<Row>(captured) << kRowStoreShift);
  return {{sown - taken, own}, captured};
}

// One word a move, in one register where the machine has such; the last two are nothing.
using MoveWords = std::uint64_t __attribute__((vector_size(64)));

// Seeds that each of the six moves captures; 0 from an empty pit.
inline MoveWords captures_of(const CaptureRules& rules, const Rows& rows) {
  const auto sowing_of = [&](int move) { return kSowingOther[move][pit_seeds(rows.own, move)]; };
  const MoveWords sowing = {
      sowing_of(0), sowing_of(1), sowing_of(2), sowing_of(3), sowing_of(4), sowing_of(5), 0, 0};
  const MoveWords pits = (rows.other & kPitBytes) + (sowing & ~kFlags);
  // As in taken_pits().
  const MoveWords differs = ((pits + rules.raise) ^ in_every_pit(2)) & in_every_pit(0xfe);
  MoveWords run = (kFlags - differs) & kFlags;
  MoveWords chain = sowing & run;
  chain |= run & chain >> 8;
  run &= run >> 8;
  chain |= run & chain >> 16;
  run &= run >> 16;
  chain |= run & chain >> 32;
  MoveWords taken = pits & ((chain << 1) - (chain >> 7));
  if (!rules.slam_takes) taken &= static_cast<MoveWords>(taken != pits);
  taken += taken >> 8;
  taken += taken >> 16;
  taken += taken >> 32;
  return taken & 0xff;
}

inline int largest(const MoveWords& words) {
  std::uint64_t most = 0;
  for (int move = 0; move < env::kMoves; ++move)
    most = words[move] > most ? words[move] : most;
  return static_cast<int>(most);
}

// A 64-bit hash of both words: the product of the two, each with a constant, folded.
inline std::uint64_t hash(const Rows& rows) {
  __extension__ using Wide = unsigned __int128;
  const Wide product =
      static_cast<Wide>(rows.own ^ 0x9e3779b97f4a7c15) * (rows.other ^ 0xd6e8feb86659fd93);
  const auto folded =
      static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  return folded * 0xff51afd7ed558ccd;
}

}  // namespace awale::mcts
