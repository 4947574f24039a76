// What a player's moves are worth, counted over positions.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>

#include "env/board.hpp"
#include "training/truth/estimate.hpp"
#include "training/truth/positions.hpp"

namespace awale::training {

struct MoveGrade {
  int positions = 0;

  // Of the positions at stake (result_at_stake()): moves that certainly lose the result, and those
  // of which neither that nor the contrary is certain.
  Estimate lost;
  Estimate unknown;
  int win_to_draw = 0;  // the lost ones, as far as the table tells what they lead to
  int win_to_loss = 0;
  int draw_to_loss = 0;

  // Of the positions with a choice (has_choice()): moves that give nothing away for certain, seeds
  // given away for certain by a move on average, and how often that is exactly what was.
  Estimate best;
  Estimate seeds;
  Estimate exact;
};

// moves[i] belongs to positions[i].
MoveGrade grade_moves(std::span<const TruthPosition> positions, std::span<const env::Move> moves);

// Keys: positions, lost, unknown, win_to_draw, win_to_loss, draw_to_loss, best, seeds_given_away,
// exact.
nlohmann::ordered_json to_json(const MoveGrade& grade);

}  // namespace awale::training
