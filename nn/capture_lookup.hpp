// What each of a row's six pits would take if its owner played it now, and what it leaves: the same
// as env::preview() and env::play(), which the tests compare it with, but without copying boards,
// because the encoder needs all twelve, and what could be taken next, for every position that
// self-play evaluates.
//
// A row is the 6 low bytes of a 64-bit word, so that sowing into a row is one addition and counting
// capturable pits a few word operations.
#pragma once

#include <array>
#include <cstdint>

#include "env/board.hpp"
#include "env/rules.hpp"

namespace awale::nn {

using RowBytes = std::uint64_t;

// The six pits from `first_pit` (0: the mover's, 6: the opponent's).
RowBytes row_bytes(const env::Board& board, int first_pit);

// The seeds of a row.
int row_sum(RowBytes row);

// Both rows after a move, before the board is turned.
struct Rows {
  RowBytes own = 0;       // of the player who has moved
  RowBytes opponent = 0;  // of the other
};

class CaptureLookup {
 public:
  explicit CaptureLookup(const env::RuleSet& rules);

  // Entry i: seeds that playing pit i of `own` captures, legal or not; 0 for an empty pit.
  std::array<std::uint8_t, env::kMoves> captures(RowBytes own, RowBytes opponent) const;

  // The rows once pit `pit` of `own`, which is not empty, has been played, legal or not.
  Rows after(int pit, RowBytes own, RowBytes opponent) const;

  // The most that a pit of `own` captures, legal or not.
  int most_taken(RowBytes own, RowBytes opponent) const;

  // What the player of `own` takes more than the other in the next `plies` >= 1 plies, if both
  // choose what makes the most of that, legal or not; who has no seeds ends it. Exact between `low`
  // and `high`, else a bound beyond them.
  int best_gain(RowBytes own, RowBytes opponent, int plies, int low, int high) const;

 private:
  struct Sown {
    RowBytes opponent;  // his row with what has been sown into it
    RowBytes captured;  // the bytes of it that are taken
  };
  Sown sow(int pit, int seeds, RowBytes opponent) const;
  RowBytes kept_bits(RowBytes sown) const;
  RowBytes taken_at(RowBytes opponent) const;

  RowBytes shift_to_two_three_;  // added to a row, turns the capturable counts into 2 and 3
  bool grand_slam_takes_;
};

}  // namespace awale::nn
