// From a finished game to what the network shall learn of it. Pure functions.
//
// Policy: what the search says (SearchResult::policy); of a fast search, nothing: its row has a
// value only.
//
// Value, a TD(lambda) return (Sutton & Barto 2018, ch. 12) mixed backwards along the game. At the
// last ply z is the final outcome; before it, seen from the mover of ply t,
//   z_t = (1 - lambda) * own_t + lambda * (-z_{t+1}),
// where own is the search's value of the root: win minus loss (at the end -1, 0, 1), and likewise
// the margin in seeds. A ply that was not searched passes z on (lambda = 1). Where own is an
// endgame table's (kTableValue), z is that alone (lambda = 0): what was played later is no better
// witness.
//
// The win/draw/loss head needs a distribution, but a root value says nothing of draws. So the
// draw's mass comes from the real outcome, or from the next table's value, as far as the mix z
// leaves room, and win - loss is z:
//   draw = 1 - |z| in a drawn game or before a draw by the table, else 0
//   win  = (1 - draw + z) / 2
//   loss = (1 - draw - z) / 2
// Over many games win - loss thus learns the mix (what the search uses), and the draw's probability
// the frequency of draws, slightly low.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "env/board.hpp"
#include "env/game.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct TargetConfig {
  // Weight of the next ply's target against the root's own value: 1 is the outcome alone, 0 the
  // search alone. Games are long: at 0.9 an outcome is forgotten 20 plies before it.
  double lambda = 0.97;
  // Throws InputError(kUsage) naming the field.
  void validate() const;
  friend bool operator==(const TargetConfig&, const TargetConfig&) = default;
};

// A position and its targets, seen from the player to move. 80 bytes.
struct TrainingRow {
  env::Position position;
  env::LegalMask legal = 0;
  std::uint8_t rules = 0;              // GameRecord::rules_index
  std::int8_t final_margin_seeds = 0;  // of the game as it ended, mover's minus opponent's
  std::uint16_t plies_left = 0;  // of the game as it was played, this one included; 0: unknown
  std::array<float, env::kMoves> policy = {};  // sum 1, 0 for illegal moves; all 0: no target
  std::array<float, 3> win_draw_loss = {};     // sum 1
  float margin_seeds = 0;                      // mover's final seeds minus the opponent's
};

// win/draw/loss with win - loss = `value` in [-1,1].
std::array<float, 3> win_draw_loss_target(double value, bool drawn_game);

// A row a searched ply, in the game's order. The game has ended.
std::vector<TrainingRow> training_rows(const GameRecord& game, const TargetConfig& config);

// How many rows training_rows() makes of these games.
std::uint64_t count_rows(std::span<const GameRecord> games);

}  // namespace awale::training
