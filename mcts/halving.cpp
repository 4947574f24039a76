#include "mcts/halving.hpp"

#include "mcts/gumbel.hpp"

namespace awale::mcts {

std::vector<HalvingPhase> halving_phases(int considered, int simulations) {
  const auto visits_of = considered_visits(considered, simulations);
  std::vector<HalvingPhase> phases;
  for (std::size_t first = 0; first < visits_of.size();) {
    std::size_t end = first;
    while (end < visits_of.size() && visits_of[end] == visits_of[first])
      ++end;
    const int moves = static_cast<int>(end - first);
    if (phases.empty() || phases.back().moves != moves)
      phases.push_back({moves, visits_of[first], 0});
    ++phases.back().visits;
    first = end;
  }
  return phases;
}

}  // namespace awale::mcts
