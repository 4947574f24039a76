// From what a table says of the seeds on the board to what is certain about the end of the game:
// the stores, the target and the sweep that may come with it.
//
// A player who follows the strategy behind a guarantee keeps it whatever his opponent does, as if
// no target existed; a target only stops that play early. So the bounds here hold under any target,
// and say for sure who wins wherever the table does. They say nothing of the game's past: see
// holds_from_here().
#pragma once

#include <optional>

#include "env/board.hpp"
#include "env/endgame/table.hpp"
#include "env/game.hpp"
#include "env/rules.hpp"

namespace awale::env {

// Bounds on the final seeds of the player to move minus his opponent's, under best play of both.
struct FinalMargin {
  int low = 0;
  int high = 0;
  bool exact() const { return low == high; }
  friend bool operator==(const FinalMargin&, const FinalMargin&) = default;
};

// `guarantees` are the table's of this board under these rules; the game is not over.
FinalMargin final_margin_bounds(const RuleSet& rules, const Board& board, CycleScore cycles,
                                Guarantees guarantees);

// The same from a table, nothing if it does not cover the board.
std::optional<FinalMargin> final_margin_bounds(const EndgameTable& table, const RuleSet& rules,
                                               const Board& board);

// Whether a table's guarantees hold in a game that has come to this position. Where a repetition
// ends the game they are sure only right after a capture (or at the beginning): later the way to
// what is guaranteed may lead through a position from before. And the ply limit must be out of
// reach: kPliesToEnd away. Tables do not know how long a win takes; to the next capture it is up to
// 221 plies and 40 in the mean (abapa, measured up to 15 seeds).
inline constexpr int kPliesToEnd = 500;
bool holds_from_here(const RuleSet& rules, const Position& position);

// Loss, draw or win of the player to move as far as it is certain.
enum class Verdict { kUnknown, kLoss, kDrawOrLoss, kDraw, kDrawOrWin, kWin };
Verdict verdict(FinalMargin margin);
const char* to_string(Verdict verdict);

}  // namespace awale::env
