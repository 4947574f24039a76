// Tree search of N games in lock step: each step gathers one leaf a tree (or a few, config.leaves)
// and evaluates all of them as one network batch.
//
// Every tree is the same as if it had been searched alone. Without recursion; trees are arrays of
// fixed capacity that are kept, so nothing is allocated after the first call with a given N and
// number of simulations. Endings (target, no moves, repetition against the path and the game's
// history, ply limit) are the rules' own. One thread at a time per object.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "env/game.hpp"
#include "mcts/lock_step.hpp"
#include "mcts/search_config.hpp"
#include "mcts/search_result.hpp"
#include "mcts/tree.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

class BatchedSearch {
 public:
  // Throws InputError(kUsage) if `config` is not valid.
  BatchedSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed);
  ~BatchedSearch();

  // Searches every root with its number of simulations (the evaluation of the root itself is not
  // counted). roots [N], results [N]. Uses RandomPurpose::kRootNoise if noise is on. With
  // config.reuse_tree a root that was met below a root of the last run with the same game_id starts
  // with what was found there, and its simulations are added to that: the visits are those of both.
  void run(std::span<const SearchRoot> roots, nn::Evaluator& evaluator,
           std::span<SearchResult> results);

  // The next run begins with new trees, also with config.reuse_tree: of another network, say.
  void forget_trees();

  // The line of best moves from root `index` of the last run, at most `max_plies` moves.
  std::vector<env::Move> principal_variation(int index, int max_plies) const;

  // The whole tree of root `index` of the last run, until the next run: it can be printed.
  const Tree& tree(int index) const;

  SearchStats stats() const;

  // Memory of the trees and of the batch.
  std::size_t bytes() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace awale::mcts
