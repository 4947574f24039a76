// How one root is searched: what belongs to one search and not to the tree.
#pragma once

#include <array>
#include <cstdint>
#include <numeric>

#include "mcts/search_config.hpp"
#include "mcts/tree.hpp"

namespace awale::mcts {

struct RootSearch {
  const SearchConfig* config = nullptr;
  int simulations = 0;  // visits that the root shall have, the earlier ones included
  // Visits that the edges had before this search: what a tree that is gone on with has found.
  std::array<std::uint16_t, env::kMoves> earlier_visits = {};
  std::array<float, env::kMoves> logits = {};  // Gumbel: root_logits()
  const std::uint16_t* considered = nullptr;   // Gumbel: considered_visits() [new simulations]
  env::Move only_move = env::kNoMove;          // if set, every simulation takes it

  int earlier_simulations() const {
    return std::accumulate(earlier_visits.begin(), earlier_visits.end(), 0);
  }
};

}  // namespace awale::mcts
