// Puts a newer network's search into the place of the one that a game was played with.
//
// Every searched ply is searched again, with all simulations and without noise: visits, policy,
// prior, values and margins, the network's own numbers and the flags of the search (search_record)
// become those of the new one. Moves, outcomes and plies without a search stay; what a table has
// said (kTableValue) is gone and can be said again.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct SearchRelabelCounts {
  std::uint64_t games = 0;
  std::uint64_t plies = 0;
  std::uint64_t searched = 0;      // again
  std::uint64_t other_best = 0;    // of these: another move has the largest policy, or visits
  std::uint64_t changed_sign = 0;  // of these: another player is ahead
  double value_change = 0;         // sum of |new - old win minus loss|
  double margin_change_seeds = 0;  // likewise of the expected final margin
};
SearchRelabelCounts operator+(const SearchRelabelCounts& left, const SearchRelabelCounts& right);

struct SearchRelabelSetup {
  std::span<const env::RuleSet> rules;  // of the games' rules_index
  mcts::SearchConfig search;
  int threads = 1;
  std::function<std::unique_ptr<nn::Evaluator>()> make_evaluator;  // one a thread
  std::function<void(std::uint64_t plies)> on_progress;            // from any thread
  std::function<bool()> interrupted;  // then what has been done is thrown away
};

// Searches in fixed batches, so that threads change nothing. Returns false, with `games` half done,
// if it was interrupted. Throws InputError(kUsage) for a search that is not valid.
bool relabel_by_search(const SearchRelabelSetup& setup, std::span<GameRecord> games,
                       SearchRelabelCounts& counts);

}  // namespace awale::training
