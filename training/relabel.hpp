// Puts an endgame table's word into the place of the search's in games that have been played.
//
// Of every ply whose board the table covers, root value and margin are limited to the table's
// bounds of the final margin (env::final_margin_bounds, target and stores included; the value is
// between their signs). Where the bounds meet, that is the truth, kTableValue says so, and the
// targets of the plies before build on it instead of on what was played later (targets.hpp).
//
// How sure that is: the truth is certain right after a capture and 500 plies or more from the ply
// limit (env::holds_from_here). At other plies it is what the board is worth to players who have
// just met there; the past may change it where a repetition ends a game, and no table knows how
// (training/README.md says how often).
// Within 100 plies of the limit nothing is changed (mcts::oracle_limits). Policies, visits, the
// network's own numbers and outcomes stay what they were.
#pragma once

#include <cstdint>
#include <span>

#include "env/endgame/table.hpp"
#include "env/rules.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct RelabelCounts {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t covered = 0;  // plies that the table says something of
  std::uint64_t exact = 0;    // of these: the bounds meet
  std::uint64_t certain = 0;  // of the exact ones: whatever happened before
  std::uint64_t limited = 0;  // covered, not exact, and the search was outside the bounds

  // Of searched plies: a winner where the table has the other one.
  std::uint64_t changed_sign = 0;

  // Of exact, searched plies: how far the search was from the truth, summed.
  std::uint64_t compared = 0;
  double value_error = 0;         // of win - loss
  double margin_error_seeds = 0;  // of the final margin
};
RelabelCounts operator+(const RelabelCounts& left, const RelabelCounts& right);

// Changes the plies of those of `games` that are by rules which `table` is for; `rules` are what
// their rules_index counts.
RelabelCounts relabel(const env::EndgameTable& table, std::span<const env::RuleSet> rules,
                      std::span<GameRecord> games);

}  // namespace awale::training
