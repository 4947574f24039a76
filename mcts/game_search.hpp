// The search of one game at a time, on several threads: for analysis and for playing a person. The
// result does not depend on the number of threads where the evaluators' rows do not depend on the
// size of a batch.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "mcts/batched_search.hpp"
#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "mcts/split_search.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// An evaluator whose batches are shared among so many threads.
using MakeEvaluator = std::function<std::unique_ptr<nn::Evaluator>(int threads)>;

class GameSearch {
 public:
  // `threads` from 1. Gumbel: a SplitSearch, each thread with its own evaluator (no more threads
  // than it can use). PUCT: a BatchedSearch that waits while the threads share each batch. Throws
  // InputError(kUsage) if `config` or `threads` is not valid.
  GameSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed, int threads,
             const MakeEvaluator& make_evaluator);

  SearchResult run(const SearchRoot& root);

  // The line of best moves from the root of the last run, at most `max_plies` moves.
  std::vector<env::Move> principal_variation(int max_plies) const;

  // "cpu bf16 2x128, 4 threads".
  std::string evaluator_name() const;

 private:
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators_;
  std::unique_ptr<SplitSearch> split_;      // Gumbel
  std::unique_ptr<BatchedSearch> batched_;  // PUCT
};

}  // namespace awale::mcts
