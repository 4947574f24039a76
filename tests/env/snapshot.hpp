// Everything that can be seen of a game as one line of text, so that the naive rules, the scalar
// board and the batch are compared with one ==.
#pragma once

#include <string>

#include "env/batch_env.hpp"
#include "tests/env/naive_rules.hpp"

namespace awale::test {

// "ACF" for a mask.
std::string letters(env::Side side, env::LegalMask moves);

// Position, ply, legal moves and, once it is over, reason and margin.
std::string snapshot(const naive::Game& game);
std::string snapshot(const env::Game& game);
std::string snapshot(const env::BatchEnv& batch, int game);

// What each move from a non-empty own pit, legal or not, would do: where it lands, what it takes.
std::string previews(const naive::Game& game);
std::string previews(const env::RuleSet& rules, const env::Board& board);

// The move with `rank` lower ones in `moves`; rank < number of moves.
env::Move nth_move(env::LegalMask moves, unsigned rank);

}  // namespace awale::test
