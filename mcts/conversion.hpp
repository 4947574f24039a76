// Moves that make progress towards what an endgame table grants.
//
// A table knows that a game is won, not how. Where a repetition ends the game, a player who always
// keeps the win may go round until it is gone. So the moves that keep the outcome are looked at
// again: is there a way to a capture, or to the end of the game, that keeps it, whatever the
// opponent does, and that meets no position from before? The way is found by widening a graph of
// the quiet positions ahead from the root, ply by ply, and settling it backwards: a position of the
// owner's once one of his moves leads to a settled one, one of the opponent's once all do.
//
// A way does not repeat itself, for each of its positions was settled after those that follow. So
// who has a way and takes it has one after the opponent's reply, too, and in the end converts.
#pragma once

#include <span>

#include "env/endgame/final_bounds.hpp"
#include "env/game.hpp"

namespace awale::mcts {

// Positions that may be looked at: until one way is found, and to find out of which other moves
// there is one, too.
inline constexpr int kConversionNodes = 1 << 16;
inline constexpr int kConversionNodesOfAllMoves = 1 << 10;

// Those of `moves` from which a way is found; all of them if none is. `moves` are legal and keep an
// outcome of `granted` (1 a win, 0 a draw) or better; the table covers the position. `history`: the
// positions since the last capture, the position's last. Up to some ten milliseconds, mostly much
// less.
env::LegalMask converting_moves(const env::EndgameTable& table, const env::RuleSet& rules,
                                const env::Position& position, std::span<const env::Board> history,
                                env::LegalMask moves, int granted);

}  // namespace awale::mcts
