// An evaluator that ends a search from within: asked for a batch when it should stop, it throws. So
// a search needs no second way out, and stops within the time of one batch.
#pragma once

#include <exception>
#include <functional>
#include <memory>

#include "nn/evaluator.hpp"

namespace awale::nn {

struct SearchStopped : std::exception {
  const char* what() const noexcept override { return "the search has been stopped"; }
};

class StoppableEvaluator final : public Evaluator {
 public:
  // `should_stop` is asked before every batch, by the thread that evaluates.
  StoppableEvaluator(std::unique_ptr<Evaluator> inner, std::function<bool()> should_stop)
      : inner_(std::move(inner)), should_stop_(std::move(should_stop)) {}

  // Throws SearchStopped, and leaves `evaluations` as they are, when it should stop.
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override {
    if (should_stop_()) throw SearchStopped();
    inner_->evaluate(rules, positions, evaluations);
  }

  std::string name() const override { return inner_->name(); }
  EvaluatorStats stats() const override { return inner_->stats(); }

 private:
  std::unique_ptr<Evaluator> inner_;
  std::function<bool()> should_stop_;
};

}  // namespace awale::nn
