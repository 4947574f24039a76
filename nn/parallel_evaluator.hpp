// Several evaluators of one network, each on a thread of its own, share a batch: for the search of
// a single game, where there is no second game to compute meanwhile.
//
// The batch is cut into contiguous parts of nearly equal size, one an evaluator, but of at least
// `least_rows`, because a smaller part costs more to hand over than to compute. Results are those
// of one evaluator to the bit where its rows do not depend on the size of the batch.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "nn/evaluator.hpp"

namespace awale::nn {

// Handing a part over and waiting for it takes 0.5 us where both threads have a core (median of
// 200 000 batches of an evaluator that does nothing), computing 8 rows 3 us with cpu-bf16 at 2x128.
// On a machine that is busy with other work a part may wait for a core, 100 us and more.
inline constexpr std::size_t kLeastPartRows = 8;

class ParallelEvaluator final : public Evaluator {
 public:
  // `parts`: one or more evaluators that answer alike. The first works on the calling thread, each
  // other on a thread that lives as long as this object.
  explicit ParallelEvaluator(std::vector<std::unique_ptr<Evaluator>> parts,
                             std::size_t least_rows = kLeastPartRows);
  ~ParallelEvaluator() override;
  ParallelEvaluator(const ParallelEvaluator&) = delete;
  ParallelEvaluator& operator=(const ParallelEvaluator&) = delete;

  // What a part throws is thrown here when all parts have ended, the first part's before others'.
  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override;

  // "cpu bf16 2x128, 4 threads".
  std::string name() const override;

  // Sums over the parts; the seconds of all threads together.
  EvaluatorStats stats() const override;

 private:
  class Worker;

  std::unique_ptr<Evaluator> first_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::size_t least_rows_;
};

}  // namespace awale::nn
