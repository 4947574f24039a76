#include "mcts/baseline/evaluation.hpp"

#include "env/error.hpp"

namespace awale::mcts {

const char* to_string(MinimaxEvaluation evaluation) {
  return evaluation == MinimaxEvaluation::kSeeds ? "seeds" : "tuned";
}

MinimaxEvaluation parse_minimax_evaluation(const std::string& name) {
  for (const auto one : {MinimaxEvaluation::kSeeds, MinimaxEvaluation::kTuned}) {
    if (name == to_string(one)) return one;
  }
  throw InputError(ErrorKind::kUsage, "evaluation: expected seeds or tuned, found " + name);
}

}  // namespace awale::mcts
