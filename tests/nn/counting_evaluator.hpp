// The hash evaluator, and what it was asked.
#pragma once

#include <stdexcept>
#include <vector>

#include "nn/hash_evaluator.hpp"

namespace awale::test {

class CountingEvaluator final : public nn::Evaluator {
 public:
  // Throws std::runtime_error(failure) whenever it is not "".
  explicit CountingEvaluator(std::string failure = "") : failure_(std::move(failure)) {}

  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<nn::Evaluation> evaluations) override {
    ++calls;
    stats_.rows += positions.size();
    if (!failure_.empty()) throw std::runtime_error(failure_);
    hash_.evaluate(rules, positions, evaluations);
  }
  std::string name() const override { return "counting"; }
  nn::EvaluatorStats stats() const override { return stats_; }

  int calls = 0;

 private:
  std::string failure_;
  nn::HashEvaluator hash_;
  nn::EvaluatorStats stats_;
};

}  // namespace awale::test
