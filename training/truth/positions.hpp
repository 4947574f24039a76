// The positions of a grade: a fixed set, balanced by seeds left and by result, and those of games.
//
// All are placed as judge.hpp says, South to move, and no two are the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "env/board.hpp"
#include "env/endgame/table.hpp"
#include "env/rules.hpp"
#include "training/truth/judge.hpp"

namespace awale::training {

struct TruthPosition {
  env::Board board;
  int seeds = 0;              // in the pits
  std::uint32_t cluster = 0;  // of estimate.hpp
  BoardTruth truth;
};

struct PositionSet {
  std::string source;  // "fixed", "games"
  std::vector<TruthPosition> positions;
};

// Changes with every change of what fixed_positions() gives for the same arguments.
inline constexpr int kFixedSetVersion = 1;

// A pure function of (rules, the table's K, size, seed, kFixedSetVersion).
//
// For each number of seeds n = 2..K the same number of won, drawn and lost positions, size / 3(K-1)
// of each, rounded up. Boards are drawn uniformly among those with n seeds where the opponent has
// an empty pit, as he has who has just moved, and at least two moves are legal. The stores share
// the other 48 - n seeds so that something hangs on the move; a board enters once, with the result
// that is most wanting, its stores drawn among those that give it:
//
//   won, drawn  known; one legal move at least certainly keeps it, one certainly loses it
//   lost        known; a seed from the opponent's store into the mover's, and it would not be; one
//               legal move at least certainly gives away seeds
//
// Where so many are not found (few seeds; draws under rules whose tables seldom prove one), there
// are fewer, but as many won as lost ones, and no more drawn. Uses RandomPurpose::kGrade. 6000
// positions: some tenths of a second.
PositionSet fixed_positions(const env::EndgameTable& table, const env::RuleSet& rules, int size,
                            std::uint64_t seed);

// All positions of `games` (moves in notation from the start) that the table can judge, each once;
// its cluster is the first game that it occurs in.
PositionSet game_positions(const env::EndgameTable& table, const env::RuleSet& rules,
                           std::span<const std::string> games);

}  // namespace awale::training
