// What an endgame table says of a board: two guarantees, and how they are stored.
//
//   win   what the player to move can force by play that ends,
//   loss  what his opponent can force by play that ends,
//
// both over the seeds still on the board, stores left out. What they count depends on how the rules
// score a game that goes round for ever:
//
//   kZero     The seeds left are shared equally, or nobody gets them. win and loss are margins: by
//             how many future seeds the one is ahead of the other; at least one of them is 0, and
//             win - loss is *the* value of the board. One byte holds it.
//   kUnknown  Each gets the seeds of his row: what a circle is worth depends on where it is cut.
//             win and loss are seeds that each gets at least, whoever gets the rest; together they
//             are at most those on the board, and only where they share out all of them is the
//             value known. Two bytes.
//
// The past of a game is not in a board: where a repetition ends the game, a guarantee holds for
// games that have captured just now, or that never come back to a position from before.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "env/endgame/board_index.hpp"
#include "env/rules.hpp"

namespace awale::env {

enum class CycleScore : std::uint8_t { kZero = 0, kUnknown = 1 };

// How `rules` score a repetition, or, where they do not count any, the ply limit.
CycleScore cycle_score(const RuleSet& rules);

// In seeds, never negative.
struct Guarantees {
  std::uint8_t win = 0;   // of the player to move
  std::uint8_t loss = 0;  // of his opponent
  friend bool operator==(const Guarantees&, const Guarantees&) = default;
};

// Of a board without a legal move: each keeps his row.
inline Guarantees final_guarantees(CycleScore cycles, const Rows& rows) {
  const int own = row_seeds(rows.to_move);
  const int other = row_seeds(rows.opponent);
  const int shared = cycles == CycleScore::kZero ? std::min(own, other) : 0;
  return {static_cast<std::uint8_t>(own - shared), static_cast<std::uint8_t>(other - shared)};
}

// What a move guarantees that takes `captured` seeds and leads to a board with the guarantees
// `child`. The result is seen by who has moved.
inline Guarantees after_move(CycleScore cycles, int captured, Guarantees child) {
  if (cycles == CycleScore::kUnknown) {
    return {static_cast<std::uint8_t>(captured + child.loss), child.win};
  }
  const int margin = captured + child.loss - child.win;
  return {static_cast<std::uint8_t>(std::max(margin, 0)),
          static_cast<std::uint8_t>(std::max(-margin, 0))};
}

// The guarantees of consecutive boards in memory, as a file holds them.
class GuaranteeArray {
 public:
  // `bytes`: of the boards from index 0 on, bytes_per_board(cycles) each; must outlive the array.
  GuaranteeArray(CycleScore cycles, const std::uint8_t* bytes) : cycles_(cycles), bytes_(bytes) {}

  Guarantees operator[](std::uint64_t index) const {
    if (cycles_ == CycleScore::kUnknown) return {bytes_[2 * index], bytes_[2 * index + 1]};
    const auto value = static_cast<std::int8_t>(bytes_[index]);
    return {static_cast<std::uint8_t>(std::max<int>(value, 0)),
            static_cast<std::uint8_t>(std::max<int>(-value, 0))};
  }

  // Writes what operator[] reads.
  static void store(CycleScore cycles, Guarantees guarantees, std::uint8_t* bytes) {
    if (cycles == CycleScore::kUnknown) {
      bytes[0] = guarantees.win;
      bytes[1] = guarantees.loss;
    } else {
      bytes[0] = static_cast<std::uint8_t>(guarantees.win - guarantees.loss);
    }
  }

 private:
  CycleScore cycles_;
  const std::uint8_t* bytes_;
};

inline constexpr std::size_t bytes_per_board(CycleScore cycles) {
  return cycles == CycleScore::kUnknown ? 2 : 1;
}

}  // namespace awale::env
