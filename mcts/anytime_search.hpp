// A search of one position that may be asked for its move at any time: for play against a clock and
// for analysis that goes on until somebody has seen enough.
//
// Sequential halving must know its simulations in advance. So the position is searched with 2
// simulations, then anew with twice as many, and so on; whoever waits gets the last search that was
// finished, which is what a search with exactly so many simulations finds. Together they take twice
// the simulations of the last; with a cache among the evaluators half of them cost no network.
// Where there is a deadline, the last search is one that fits before it.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "mcts/game_search.hpp"
#include "mcts/stop_signal.hpp"

namespace awale::mcts {

// What a finished search has found.
struct AnytimeReport {
  SearchResult result;
  int simulations = 0;          // of this search
  std::uint64_t all = 0;        // of all searches of the position
  double seconds = 0;           // since run() began
  std::vector<env::Move> line;  // principal variation
};

class AnytimeSearch {
 public:
  // config.simulations is the most that a position gets. Ends when `stop`, which must outlive this,
  // says so. Otherwise as GameSearch.
  AnytimeSearch(const env::RuleSet& rules, const SearchConfig& config, int threads,
                const MakeEvaluator& make_evaluator, const StopSignal& stop);

  // Searches `root` until it has had `most_simulations` (in 1..config.simulations), its value is
  // certain, or `stop` says so, and reports each search that is finished. The first is finished
  // whatever `stop` says, so that there is one report at least.
  void run(const SearchRoot& root, int most_simulations,
           const std::function<void(const AnytimeReport&)>& report);

  std::string evaluator_name() const { return search_.evaluator_name(); }

 private:
  MakeEvaluator stoppable(const MakeEvaluator& make_evaluator) const;
  int next_simulations(int last, double last_seconds, int most) const;

  const StopSignal& stop_;
  std::atomic<bool> may_stop_ = false;
  GameSearch search_;
};

}  // namespace awale::mcts
