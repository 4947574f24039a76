// Analyzes many positions at once: a batched search for each set of rules, the leaves of its games
// in one batch of the network. What is said of a position does not depend on the others.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/endgame/table.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/game_search.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"
#include "nn/weights.hpp"
#include "training/analysis/analysis.hpp"

namespace awale::training {

// What positions are analyzed with; threads may share it.
struct AnalystSetup {
  mcts::SearchConfig search;  // its simulations are the most that a position may have; its table is
                              // asked where the rules are the table's
  mcts::MakeEvaluator make_evaluator;
  // What the evaluator computes, for the auxiliary heads; null where it is no network.
  std::shared_ptr<const nn::NetworkWeights> weights;
  // Throws InputError(kMismatch) for rules that the network has not been trained for.
  std::function<void(const env::RuleSet&)> require_rules = [](const env::RuleSet&) {};
};

// A position to analyze, not over.
struct AnalysisRequest {
  env::Game game;
  int simulations = 0;  // 1..setup.search.simulations
};

// For one thread.
class Analyst {
 public:
  explicit Analyst(const AnalystSetup& setup);

  // An analysis for each request, in their order.
  std::vector<Analysis> analyze(std::span<const AnalysisRequest> requests);

 private:
  const env::EndgameTable* table_for(const env::RuleSet& rules) const;
  mcts::BatchedSearch& search_for(const env::RuleSet& rules);
  // Those of the analyses that `which` names; all under the same rules.
  void search(std::span<const std::size_t> which, std::vector<Analysis>& analyses);

  const AnalystSetup& setup_;
  std::unique_ptr<nn::Evaluator> evaluator_;
  std::map<std::string, std::unique_ptr<mcts::BatchedSearch>> searches_;  // by the rules' text
};

}  // namespace awale::training
