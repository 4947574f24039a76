// The simulations of N trees in lock step: each step gathers one leaf a tree (or a few,
// config.leaves) and evaluates all of them as one network batch. No tree sees another one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/game.hpp"
#include "mcts/search_config.hpp"
#include "mcts/simulation.hpp"
#include "mcts/tree.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// Where the work went, summed over all calls. The seconds of selection and backup are estimates
// from a sample of the rows.
struct SearchStats {
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;  // rows sent to the evaluator
  std::uint64_t batches = 0;      // calls of the evaluator
  double evaluator_seconds = 0;
  double selection_seconds = 0;  // down the trees to the next leaves, rules and endings included
  double backup_seconds = 0;     // expansion of the leaves and the way back up
};

class LockStep {
 public:
  // `config` must outlive it.
  LockStep(const env::RuleSet& rules, const SearchConfig& config)
      : rules_(rules), config_(config) {}

  // Evaluates the roots of `trees` [N] as one batch. [N], valid until the next call.
  std::span<const nn::Evaluation> evaluate_roots(std::span<const Tree> trees,
                                                 nn::Evaluator& evaluator);

  // Continues those of `trees` that `which` names, each at most once, until each of their roots,
  // which are expanded, has searches[tree].simulations visits. Touches no other tree. What the
  // evaluator throws passes through and leaves the trees unfinished.
  void run(std::span<Tree> trees, std::span<const RootSearch> searches, std::span<const int> which,
           nn::Evaluator& evaluator);

  // All but the simulations, which whoever sets the goals counts.
  const SearchStats& stats() const { return stats_; }

  // Memory of the batch.
  std::size_t bytes() const;

 private:
  // A row of the current batch and where its evaluation goes. A tree's rows stand together.
  struct Leaf {
    int tree;
    NodeIndex node;
  };

  void clear_batch();
  void evaluate(nn::Evaluator& evaluator);
  void step();
  void finish_row(std::size_t row);
  void prefetch(std::size_t row) const;
  void gather(int index);
  void settle(Tree& tree, NodeIndex leaf);

  env::RuleSet rules_;
  const SearchConfig& config_;
  SearchStats stats_;
  std::span<Tree> trees_;  // of the current run
  std::span<const RootSearch> searches_;

  // The batch of one step, kept to avoid allocation: [B].
  std::vector<Leaf> leaves_;
  std::vector<Leaf> evaluated_;
  std::vector<env::Position> positions_;
  std::vector<nn::Evaluation> evaluations_;
};

}  // namespace awale::mcts
