// The contestants of the search's benchmark, one object a thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "nn/evaluator.hpp"
#include "training/benchmark/measure.hpp"
#include "training/self_play.hpp"

namespace awale::training {

// Plays one ply in every game a run; units are network rows. Memory is taken where it is built, so
// build it in a thread of its own.
class SelfPlayWorkload : public Workload {
 public:
  SelfPlayWorkload(const SelfPlaySetup& setup, std::unique_ptr<nn::Evaluator> evaluator);

  long run() override;

  SelfPlayStats stats() const { return group_.stats(); }
  nn::EvaluatorStats evaluator_stats() const { return evaluator_->stats(); }
  std::size_t search_bytes() const { return group_.search_bytes(); }
  std::uint64_t moves() const { return moves_; }

 private:
  SelfPlayGroup group_;
  std::unique_ptr<nn::Evaluator> evaluator_;
  std::vector<GameRecord> finished_;
  std::uint64_t games_;
  int simulations_;
  std::uint64_t moves_ = 0;
};

// Evaluates the same `count` positions, met in random games, a run; units are rows.
class BareWorkload : public Workload {
 public:
  BareWorkload(const env::RuleSet& rules, int count, std::uint64_t seed,
               std::unique_ptr<nn::Evaluator> evaluator);

  long run() override;

  nn::EvaluatorStats evaluator_stats() const { return evaluator_->stats(); }

 private:
  env::RuleSet rules_;
  std::unique_ptr<nn::Evaluator> evaluator_;
  std::vector<env::Position> positions_;
  std::vector<nn::Evaluation> evaluations_;
};

}  // namespace awale::training
