#include "mcts/oracle.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "mcts/conversion.hpp"

namespace awale::mcts {
namespace {

bool far_from_limit(const env::RuleSet& rules, int ply) {
  return rules.ply_limit == 0 || ply + kOraclePliesLeft <= rules.ply_limit;
}

int sign(int value) {
  return (value > 0) - (value < 0);
}

}  // namespace

std::optional<OracleLimits> oracle_limits(const env::EndgameTable& table, const env::RuleSet& rules,
                                          const env::Position& position) {
  if (!far_from_limit(rules, position.ply)) return std::nullopt;
  const auto margin = env::final_margin_bounds(table, rules, position.board);
  if (!margin) return std::nullopt;
  return OracleLimits{*margin, env::holds_from_here(rules, position)};
}

std::optional<env::FinalMargin> margin_after(const env::EndgameTable& table,
                                             const env::RuleSet& rules,
                                             const env::Position& position,
                                             std::span<const env::Board> history, env::Move move) {
  env::Board child = position.board;
  const bool captured = env::play(rules, child, move) > 0;
  const env::LegalMask legal = env::legal_moves(rules, child);
  const bool counted = !captured && rules.repetition_occurrence > 0;
  const int occurrences = 1 + (counted ? env::count_occurrences(history, child) : 0);
  const auto reason = env::end_reason(rules, child, legal, occurrences, position.ply + 1);
  if (reason != env::EndReason::kNone) {
    const int margin = env::final_margin_to_move(rules, child, reason);
    return env::FinalMargin{-margin, -margin};
  }
  const auto margin = env::final_margin_bounds(table, rules, child);
  if (!margin) return std::nullopt;
  return env::FinalMargin{-margin->high, -margin->low};
}

env::LegalMask outcome_keeping_moves(const env::EndgameTable& table, const env::RuleSet& rules,
                                     const env::Position& position,
                                     std::span<const env::Board> history, env::LegalMask legal) {
  if (!table.covers(position.board) || !far_from_limit(rules, position.ply)) return legal;
  std::array<env::FinalMargin, env::kMoves> margins;
  int granted = -1;
  int possible = -1;  // by moves that keep what is granted
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    margins[move] = *margin_after(table, rules, position, history, move);
    const int low = sign(margins[move].low);
    const int high = sign(margins[move].high);
    if (low > granted) possible = -1;
    granted = std::max(granted, low);
    if (low == granted) possible = std::max(possible, high);
  }
  env::LegalMask kept = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) == 0 || sign(margins[move].low) < granted) continue;
    if (possible >= 0 && margins[move].high < 0) continue;
    kept = static_cast<env::LegalMask>(kept | 1 << move);
  }
  if (granted < 0 || std::has_single_bit(unsigned{kept})) return kept;
  return converting_moves(table, rules, position, history, kept, granted);
}

}  // namespace awale::mcts
