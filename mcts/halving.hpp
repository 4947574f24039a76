// Sequential halving as phases, for whoever need not choose every simulation's move by itself.
#pragma once

#include <vector>

namespace awale::mcts {

// A part of the search in which the same moves get equally many visits.
struct HalvingPhase {
  int moves = 0;          // so many
  int visits_before = 0;  // that each of them has
  int visits = 0;         // that each of them gets

  bool operator==(const HalvingPhase&) const = default;
};

// considered_visits() as phases. A last round that the simulations cut short is one of its own.
std::vector<HalvingPhase> halving_phases(int considered, int simulations);

}  // namespace awale::mcts
