#include "tests/mcts/exact_solver.hpp"

#include <algorithm>

namespace awale::test {

int exact_margin(const env::Game& game) {
  if (game.over()) {
    const int south = game.outcome().margin_south_seeds;
    return game.board().to_move == env::Side::kSouth ? south : -south;
  }
  int best = -env::kSeeds;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((game.legal() >> move & 1) == 0) continue;
    env::Game next = game;
    next.play(move);
    best = std::max(best, -exact_margin(next));
  }
  return best;
}

}  // namespace awale::test
