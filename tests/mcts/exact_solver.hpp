// Exhaustive search of short games, for comparison: every line to its end, with the whole history.
#pragma once

#include "env/game.hpp"

namespace awale::test {

// The final margin in seeds that the player to move can force (negative: has to suffer).
// Exponential: only with a close ply limit and few seeds. Of a game that is over, its margin.
int exact_margin(const env::Game& game);

}  // namespace awale::test
