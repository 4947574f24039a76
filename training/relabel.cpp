#include "training/relabel.hpp"

#include <algorithm>
#include <cmath>

#include "mcts/oracle.hpp"

namespace awale::training {
namespace {

int sign(int value) {
  return (value > 0) - (value < 0);
}

bool searched(const PlyRecord& ply) {
  return (ply.flags & kUnsearchedPly) == 0;
}

// What the table says in place of the search, which stays as it is within the bounds.
PlyRecord limited_ply(PlyRecord ply, env::FinalMargin margin) {
  const auto limit = [](float number, int low, int high) {
    return std::clamp(number, static_cast<float>(low), static_cast<float>(high));
  };
  ply.root_value = limit(ply.root_value, sign(margin.low), sign(margin.high));
  ply.root_margin_seeds = limit(ply.root_margin_seeds, margin.low, margin.high);
  if (margin.exact()) ply.flags |= kTableValue;
  return ply;
}

void count_change(const PlyRecord& before, const PlyRecord& after, RelabelCounts& counts) {
  const double value_change = std::abs(before.root_value - after.root_value);
  const double margin_change = std::abs(before.root_margin_seeds - after.root_margin_seeds);
  const bool exact = (after.flags & kTableValue) != 0;
  if (!exact && (value_change > 0 || margin_change > 0)) ++counts.limited;
  // What a table has said before is not the search's.
  if (!searched(before) || (before.flags & kTableValue) != 0) return;
  if (before.root_value * after.root_value < 0) ++counts.changed_sign;
  if (!exact) return;
  ++counts.compared;
  counts.value_error += value_change;
  counts.margin_error_seeds += margin_change;
}

void relabel_ply(const mcts::OracleLimits& limits, PlyRecord& ply, RelabelCounts& counts) {
  const PlyRecord after = limited_ply(ply, limits.margin);
  ++counts.covered;
  if (limits.margin.exact()) ++counts.exact;
  if (limits.margin.exact() && limits.certain) ++counts.certain;
  count_change(ply, after, counts);
  ply = after;
}

}  // namespace

RelabelCounts operator+(const RelabelCounts& left, const RelabelCounts& right) {
  return {left.games + right.games,
          left.plies + right.plies,
          left.covered + right.covered,
          left.exact + right.exact,
          left.certain + right.certain,
          left.limited + right.limited,
          left.changed_sign + right.changed_sign,
          left.compared + right.compared,
          left.value_error + right.value_error,
          left.margin_error_seeds + right.margin_error_seeds};
}

RelabelCounts relabel(const env::EndgameTable& table, std::span<const env::RuleSet> rule_sets,
                      std::span<GameRecord> games) {
  RelabelCounts counts;
  for (GameRecord& game : games) {
    ++counts.games;
    counts.plies += game.plies.size();
    const env::RuleSet& rules = rule_sets[game.rules_index];
    if (!env::same_endgame(table.rules(), rules)) continue;
    for (PlyRecord& ply : game.plies) {
      const auto limits = mcts::oracle_limits(table, rules, ply.position);
      if (limits) relabel_ply(*limits, ply, counts);
    }
  }
  return counts;
}

}  // namespace awale::training
