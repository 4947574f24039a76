#include "env/endgame/final_bounds.hpp"

#include <algorithm>

namespace awale::env {
namespace {

// What one player is certain of at the end.
struct Certain {
  int margin = 0;         // his final seeds minus the other's, if no target ends the game
  int store = 0;          // of his, now
  int other_at_most = 0;  // the other's store at any time, while he keeps to his guarantee
  int can_reach = 0;      // the most that his store can come to
};

// The least final margin of a player who keeps to his guarantee, the target included.
int least_margin(const RuleSet& rules, int total, const Certain& certain) {
  int least = certain.margin;
  const int target = rules.target_seeds;
  if (target == 0) return least;
  if (certain.can_reach >= target) {
    // He ends the game himself. With a sweep all seeds are counted, and he has the target.
    const int other = std::min(certain.other_at_most, target - 1);
    least = std::min(least, rules.sweep_at_target ? 2 * target - total : target - other);
  }
  if (certain.other_at_most >= target) {
    // The other may end it. He keeps what he has now.
    least = std::min(least, rules.sweep_at_target ? 2 * certain.store - total
                                                  : certain.store - certain.other_at_most);
  }
  return least;
}

Certain certain_of(CycleScore cycles, int store, int other_store, int rest, Guarantees own_first) {
  const int total = store + other_store + rest;
  Certain certain;
  certain.store = store;
  certain.can_reach = store + rest;
  if (cycles == CycleScore::kUnknown) {
    // All seeds are somebody's in the end.
    certain.margin = 2 * (store + own_first.win) - total;
  } else {
    certain.margin = store - other_store + own_first.win - own_first.loss;
  }
  certain.other_at_most = std::min(other_store + rest, (total - certain.margin) / 2);
  return certain;
}

}  // namespace

FinalMargin final_margin_bounds(const RuleSet& rules, const Board& board, CycleScore cycles,
                                Guarantees guarantees) {
  const int rest = row_to_move_seeds(board) + row_opponent_seeds(board);
  const int total = rest + board.store_to_move + board.store_opponent;
  const Certain mover =
      certain_of(cycles, board.store_to_move, board.store_opponent, rest, guarantees);
  const Certain other = certain_of(cycles, board.store_opponent, board.store_to_move, rest,
                                   {guarantees.loss, guarantees.win});
  return {least_margin(rules, total, mover), -least_margin(rules, total, other)};
}

std::optional<FinalMargin> final_margin_bounds(const EndgameTable& table, const RuleSet& rules,
                                               const Board& board) {
  const auto guarantees = table.guarantees(board);
  if (!guarantees) return std::nullopt;
  return final_margin_bounds(rules, board, table.cycles(), *guarantees);
}

bool holds_from_here(const RuleSet& rules, const Position& position) {
  if (rules.repetition_occurrence > 0 && position.quiet_plies > 0) return false;
  return rules.ply_limit == 0 || position.ply + kPliesToEnd <= rules.ply_limit;
}

Verdict verdict(FinalMargin margin) {
  if (margin.low > 0) return Verdict::kWin;
  if (margin.high < 0) return Verdict::kLoss;
  if (margin.low == 0 && margin.high == 0) return Verdict::kDraw;
  if (margin.low == 0) return Verdict::kDrawOrWin;
  if (margin.high == 0) return Verdict::kDrawOrLoss;
  return Verdict::kUnknown;
}

const char* to_string(Verdict verdict) {
  switch (verdict) {
    case Verdict::kLoss:
      return "loss";
    case Verdict::kDrawOrLoss:
      return "draw or loss";
    case Verdict::kDraw:
      return "draw";
    case Verdict::kDrawOrWin:
      return "draw or win";
    case Verdict::kWin:
      return "win";
    case Verdict::kUnknown:
      break;
  }
  return "unknown";
}

}  // namespace awale::env
