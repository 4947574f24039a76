// Gumbel's search of one game on several threads: the same result, to the last bit, on any number.
//
// What lies below the moves of the root knows nothing of each other. So each move has a tree of its
// own, and only sequential halving brings them together: where a round begins it chooses the moves,
// one after the other, each with everything known that was found before; then each of these trees
// gets its visits, on whichever thread. With config.leaves = 1 this is what BatchedSearch does to
// the last bit; more are leaves of one move's tree, here. A thread's trees are searched in lock
// step, so that also a single thread evaluates several leaves at once.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "mcts/lock_step.hpp"
#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

class SplitSearch {
 public:
  // More have nothing to do.
  static constexpr int kMostThreads = env::kMoves;

  // `threads` in 1..kMostThreads. The first is the one that calls run(). Throws InputError(kUsage)
  // if `config` is not valid; its algorithm is Gumbel.
  SplitSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed,
              int threads);
  ~SplitSearch();

  // Searches `root` as BatchedSearch::run() does. evaluators [threads], which answer alike. What an
  // evaluator throws is thrown when all threads have ended, the first one's before others'. Nothing
  // is allocated after the first call with a given number of simulations.
  SearchResult run(const SearchRoot& root,
                   std::span<const std::unique_ptr<nn::Evaluator>> evaluators);

  // The line of best moves from the root of the last run, at most `max_plies` moves.
  std::vector<env::Move> principal_variation(int max_plies) const;

  // Sums over the threads.
  SearchStats stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace awale::mcts
