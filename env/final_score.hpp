// How many seeds each side has at the end of a game, in words where `board` has the margin alone.
#pragma once

#include <string>

#include "env/board.hpp"
#include "env/rules.hpp"

namespace awale::env {

// How the seeds still on the board are counted when a game ends for `reason`; kCaptured while it
// goes on (kNone).
CutOffScore remaining_score(const RuleSet& rules, EndReason reason);

// In half seeds, because an odd rest may be shared. South's minus North's is twice the margin of
// the game's outcome.
struct FinalScore {
  int south_half_seeds = 0;
  int north_half_seeds = 0;

  friend bool operator==(const FinalScore&, const FinalScore&) = default;
};

// The score when the game ends on `board` for `reason`; for kNone the stores as they stand.
FinalScore final_score(const RuleSet& rules, const Board& board, EndReason reason);

// "28", "23.5".
std::string half_seeds_text(int half_seeds);

// South's score first: "28-20", "24.5-23.5".
std::string to_text(const FinalScore& score);

}  // namespace awale::env
