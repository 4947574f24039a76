// What an endgame table says inside a search: limits of a leaf's value, and the root moves that
// keep what the table grants. Pure functions.
#pragma once

#include <optional>
#include <span>

#include "env/endgame/final_bounds.hpp"
#include "env/game.hpp"

namespace awale::mcts {

// Below this many plies from the ply limit a table, which knows none, is not asked.
inline constexpr int kOraclePliesLeft = 100;

struct OracleLimits {
  env::FinalMargin margin;  // bounds of the final margin of the player to move
  bool certain = false;     // whatever happened in the game before: env::holds_from_here()
};

// Of a position that is not over; nothing if the table does not cover it.
std::optional<OracleLimits> oracle_limits(const env::EndgameTable& table, const env::RuleSet& rules,
                                          const env::Position& position);

// Bounds of the final margin after `move`, seen by who plays it; exact where it ends the game.
// Nothing if the table does not cover the board behind it. `history`: the positions since the last
// capture, the position's last.
std::optional<env::FinalMargin> margin_after(const env::EndgameTable& table,
                                             const env::RuleSet& rules,
                                             const env::Position& position,
                                             std::span<const env::Board> history, env::Move move);

// Those of `legal` that keep the best outcome (win, draw or loss) that the table guarantees here,
// without certain losses where there is something else, and of these the moves that make progress
// (conversion.hpp); all of them where the table does not cover the position.
env::LegalMask outcome_keeping_moves(const env::EndgameTable& table, const env::RuleSet& rules,
                                     const env::Position& position,
                                     std::span<const env::Board> history, env::LegalMask legal);

}  // namespace awale::mcts
