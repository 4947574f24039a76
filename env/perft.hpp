// Perft: the number of move sequences of a given length, the classic check of a move generator.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "env/board.hpp"
#include "env/rules.hpp"

namespace awale::env {

struct PerftCount {
  std::uint64_t leaves = 0;         // sequences of exactly `depth` plies
  std::uint64_t ended_here = 0;     // of these, how many ended the game with their last move
  std::uint64_t ended_earlier = 0;  // sequences that ended the game before; not extended
};

// Counts from `board` with an empty history: endings by target, no moves, repetition and ply limit
// count as the rules say. depth >= 1.
PerftCount perft(const RuleSet& rules, const Board& board, int depth);

// The leaves below each legal move, in move order.
std::vector<std::pair<Move, std::uint64_t>> perft_divide(const RuleSet& rules, const Board& board,
                                                         int depth);

}  // namespace awale::env
