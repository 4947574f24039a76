// PUCT search of N games in lock step: each step gathers at most one leaf a tree and evaluates all
// of them as one network batch.
//
// Every tree is the same as if it had been searched alone. Without recursion; trees are arrays of
// fixed capacity that are reused, so nothing is allocated after the first call with a given N and
// number of simulations. Endings (target, no moves, repetition against the path and the game's
// history, ply limit) are the rules' own. One thread at a time per object.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "env/game.hpp"
#include "env/random.hpp"
#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// A position to search. Must not be over.
struct SearchRoot {
  env::Position position;
  std::span<const env::Board> history;  // since the last capture, the position itself last; must
                                        // live until run() returns
  std::uint64_t game_id = 0;            // together with the ply selects the noise's random stream
};

// All values are seen from the player to move at the root.
struct SearchResult {
  std::array<std::uint32_t, env::kMoves> visits = {};  // simulations that went through each move
  std::array<float, env::kMoves> priors = {};          // network's, over legal moves, before noise
  std::array<float, env::kMoves> values = {};          // mean utility a move, 0 where unvisited
  std::array<float, env::kMoves> margins_seeds = {};  // mean final margin a move, 0 where unvisited
  float root_value = 0;                               // mean utility over all simulations, [-1,1]
  nn::Evaluation network;                             // the network's own view of the root
  env::LegalMask legal = 0;
};

// Where the work went, summed over all calls.
struct SearchStats {
  std::uint64_t simulations = 0;
  std::uint64_t evaluations = 0;  // rows sent to the evaluator
  double evaluator_seconds = 0;
};

class BatchedSearch {
 public:
  // Throws InputError(kUsage) if `config` is not valid.
  BatchedSearch(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed);
  ~BatchedSearch();

  // Searches every root with config.simulations simulations (the evaluation of the root itself is
  // not counted). roots [N], results [N]. Uses RandomPurpose::kRootNoise if noise is on.
  void run(std::span<const SearchRoot> roots, nn::Evaluator& evaluator,
           std::span<SearchResult> results);

  // The most visited line from root `index` of the last run, at most `max_plies` moves.
  std::vector<env::Move> principal_variation(int index, int max_plies) const;

  // The whole tree of root `index` of the last run, until the next run: it can be printed.
  const Tree& tree(int index) const;

  const SearchStats& stats() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace awale::mcts
