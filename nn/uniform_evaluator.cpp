#include "nn/uniform_evaluator.hpp"

#include <algorithm>

namespace awale::nn {

void UniformEvaluator::evaluate(const env::RuleSet& /*rules*/,
                                std::span<const env::Position> /*positions*/,
                                std::span<Evaluation> evaluations) {
  Evaluation even;
  even.win_draw_loss = {0.5F, 0.0F, 0.5F};
  std::fill(evaluations.begin(), evaluations.end(), even);
}

}  // namespace awale::nn
