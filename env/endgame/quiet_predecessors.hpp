// Moves backwards: the boards from which a move that captures nothing leads to a given board. They
// lie in the same layer, because such a move takes no seed off the board.
//
// Pure functions, safe from any thread.
#pragma once

#include <array>
#include <cstdint>

#include "env/endgame/board_index.hpp"
#include "env/rules.hpp"

namespace awale::env {

namespace detail {

// What sowing adds to the two rows, the origin left out, and where the last seed falls.
struct Sowing {
  Rows added;
  int landing_pit = 0;
};

// [move][seeds]
using SowingTable = std::array<std::array<Sowing, kMaxEndgameSeeds + 1>, kMoves>;

constexpr SowingTable make_sowings() {
  SowingTable table = {};
  for (int move = 0; move < kMoves; ++move) {
    Rows added;
    int pit = move;
    for (int seeds = 1; seeds <= kMaxEndgameSeeds; ++seeds) {
      pit = (pit + 1) % kPits;
      if (pit == move) pit = (pit + 1) % kPits;  // skipped on every lap
      if (pit < kPitsPerSide) {
        added.to_move += std::uint64_t{1} << 8 * pit;
      } else {
        added.opponent += std::uint64_t{1} << 8 * (pit - kPitsPerSide);
      }
      table[move][seeds] = {added, pit};
    }
  }
  return table;
}

inline constexpr SowingTable kSowings = make_sowings();

inline int seeds_in(const Rows& rows, int pit) {
  return static_cast<int>(
      (pit < kPitsPerSide ? rows.to_move >> 8 * pit : rows.opponent >> 8 * (pit - kPitsPerSide)) &
      0xff);
}

// Whether a last seed in the opponent's pit `landing_pit` of `sown`, seen by who has sown, takes
// nothing.
inline bool takes_nothing(const RuleSet& rules, const Rows& sown, int landing_pit) {
  const int low = rules.capture_counts == CaptureCounts::kTwoThree ? 2 : 1;
  int taken = 0;
  for (int pit = landing_pit; pit >= kPitsPerSide; --pit) {
    const int seeds = seeds_in(sown, pit);
    if (seeds != low && seeds != low + 1) break;
    taken += seeds;
  }
  if (taken == 0) return true;
  return rules.grand_slam == GrandSlam::kNoCapture && taken == row_seeds(sown.opponent);
}

// Whether the player to move, whose opponent has no seeds, may play `move`, which has sown to
// `sown`.
inline bool may_face_empty_row(const RuleSet& rules, const Rows& before, const Rows& sown,
                               Move move) {
  if (!rules.must_feed || sown.opponent != 0) return true;
  return (legal_moves(rules, to_board(before)) >> move & 1) != 0;
}

}  // namespace detail

// Calls visit(Rows) for each pair of a board and a legal move of its player to move that leads to
// `after` and captures nothing. No board comes twice: each move leaves another pit empty.
template <typename Visit>
void for_each_quiet_predecessor(const RuleSet& rules, const Rows& after, Visit visit) {
  const Rows sown = {after.opponent, after.to_move};  // seen by who has moved
  for (int move = 0; move < kMoves; ++move) {
    if ((sown.to_move >> 8 * move & 0xff) != 0) continue;  // the origin is empty
    for (int seeds = 1; seeds <= kMaxEndgameSeeds; ++seeds) {
      const detail::Sowing& sowing = detail::kSowings[move][seeds];
      const int lap = (seeds - 1) / (kPits - 1);
      if (detail::seeds_in(sown, sowing.landing_pit) <= lap) break;  // no seed to take back
      const Rows before = {
          sown.to_move - sowing.added.to_move + (static_cast<std::uint64_t>(seeds) << 8 * move),
          sown.opponent - sowing.added.opponent};
      if (sowing.landing_pit >= kPitsPerSide &&
          !detail::takes_nothing(rules, sown, sowing.landing_pit)) {
        continue;
      }
      if (before.opponent == 0 &&
          !detail::may_face_empty_row(rules, before, sown, static_cast<Move>(move))) {
        continue;
      }
      visit(before);
    }
  }
}

}  // namespace awale::env
