// What a search said of a ply, in the fields and units of its record.
#pragma once

#include "mcts/search_result.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

// Fills visits, policy, prior, values, what the network said and the flags kFastSearch and
// kSolvedPly of `ply` from a search of its position; clears kTableValue. `full`: with all
// simulations and noise, good for a policy target. `margin_weight` is the search's.
void record_search(const mcts::SearchResult& result, float margin_weight, bool full,
                   PlyRecord& ply);

}  // namespace awale::training
