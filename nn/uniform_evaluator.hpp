// Knows nothing: equal logits, even chances, margin 0. With it a search is plain tree search over
// the rules, the partner of the `uniform-mcts` player and of tests against exact values.
#pragma once

#include "nn/evaluator.hpp"

namespace awale::nn {

class UniformEvaluator final : public Evaluator {
 public:
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override;
  std::string name() const override { return "uniform"; }
};

}  // namespace awale::nn
