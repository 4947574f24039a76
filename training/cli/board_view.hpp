// A board and its moves as people see them: South below, North above, seeds running
// counter-clockwise from A to F and from a to f.
#pragma once

#include <string>

#include "env/game.hpp"

namespace awale::training {

// Four lines, the last one ended; an arrow marks the side to move.
std::string draw(const env::Board& board);

// "South" or "North".
const char* side_name(env::Side side);

// The letter of the pit `pit`, 0..11 seen from the side to move.
char pit_letter(env::Side to_move, int pit);

// "last seed on d, takes 3", "... takes nothing (grand slam)" for a void capture.
std::string describe_move(const env::RuleSet& rules, const env::Board& board, env::Move move);

// "South wins by 4 seeds (target)", "draw (repetition)".
std::string describe_outcome(const env::Outcome& outcome);

}  // namespace awale::training
