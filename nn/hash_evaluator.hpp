// A deterministic stand-in for a network: every number is a hash of the position's key, i.e. of
// everything that a network reads and of nothing else (position_key.hpp). It makes whole search
// trees reproducible as text, on any machine and without LibTorch; a wrong sign, view or cache key
// changes them.
#pragma once

#include "nn/evaluator.hpp"

namespace awale::nn {

class HashEvaluator final : public Evaluator {
 public:
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override;
  std::string name() const override { return "hash"; }
};

}  // namespace awale::nn
