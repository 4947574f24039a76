// Everything that can be seen of a game, so that the naive rules, the scalar board and the batch
// are compared with one ==.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "env/batch_env.hpp"
#include "tests/env/naive_rules.hpp"

namespace awale::test {

struct Snapshot {
  naive::Position position;
  int ply = 0;
  int quiet_plies = 0;
  int repetitions = 0;   // as in env::Position: earlier occurrences, 255 stands for more
  std::string legal;     // "ACF"; empty once the game is over
  std::string reason;    // "none" while the game goes on
  int margin_south = 0;  // 0 while the game goes on

  bool operator==(const Snapshot&) const = default;
};

Snapshot snapshot(const naive::Game& game);
Snapshot snapshot(const env::Game& game);
Snapshot snapshot(const env::BatchEnv& batch, int game);

std::string to_text(const Snapshot& snapshot);
std::ostream& operator<<(std::ostream& stream, const Snapshot& snapshot);

// What a move would do.
struct Preview {
  char letter = 'A';
  int landing_pit = 0;  // absolute
  int captured_seeds = 0;
  bool cancelled_grand_slam = false;

  bool operator==(const Preview&) const = default;
};

// One for each own pit that is not empty, whether the move is legal or not.
std::vector<Preview> previews(const naive::Game& game);
std::vector<Preview> previews(const env::RuleSet& rules, const env::Board& board);

std::ostream& operator<<(std::ostream& stream, const Preview& preview);

// The position with absolute pits, as the naive rules hold it.
naive::Position naive_position(const env::Board& board);

// "ACF" for a mask.
std::string letters(env::Side side, env::LegalMask moves);

// The move with `rank` lower ones in `moves`; rank < number of moves.
env::Move nth_move(env::LegalMask moves, unsigned rank);

}  // namespace awale::test
