#include "env/endgame/guarantees.hpp"

namespace awale::env {

CycleScore cycle_score(const RuleSet& rules) {
  const CutOffScore score =
      rules.repetition_occurrence > 0 ? rules.repetition_score : rules.limit_score;
  return score == CutOffScore::kOwnRow ? CycleScore::kUnknown : CycleScore::kZero;
}

}  // namespace awale::env
