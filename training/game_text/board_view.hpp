// A board and its moves as people see them: South below, North above, seeds running
// counter-clockwise from A to F and from a to f.
#pragma once

#include <string>

#include "env/game.hpp"
#include "env/notation.hpp"

namespace awale::training {

inline constexpr const char* kStart = "start";

// The board that a person names: "start", or a position in notation. Errors as parse_board().
env::Board named_board(const std::string& text, env::SeedCount seeds);

// Four lines, the last one ended; an arrow marks the side to move.
std::string draw(const env::Board& board);

// "South" or "North".
const char* side_name(env::Side side);

// The letter of the pit `pit`, 0..11 seen from the side to move.
char pit_letter(env::Side to_move, int pit);

// "last seed on d, takes 3", "... takes nothing (grand slam)" for a void capture.
std::string describe_move(const env::RuleSet& rules, const env::Board& board, env::Move move);

// Why a pit of the side to move may not be played.
enum class Illegality { kEmptyPit, kMustFeed, kGrandSlam };
// `move` must be illegal on `board`.
Illegality why_illegal(const env::RuleSet& rules, const env::Board& board, env::Move move);
// "empty_pit", "must_feed", "grand_slam".
const char* to_string(Illegality reason);
// What can be said of the pit: "is empty", "does not feed the opponent, whose row is empty", ...
const char* describe(Illegality reason);

// Why a game is over, as a clause: "South has captured 26 seeds". Only when over.
std::string describe_end(const env::Game& game);

// How the seeds left were counted: "each takes the seeds left in his row: South 25 + 3 = 28,
// North 16 + 4 = 20". Only when over.
std::string describe_count(const env::Game& game);

// "South wins by 4 seeds (target)", "draw (repetition)".
std::string describe_outcome(const env::Outcome& outcome);

}  // namespace awale::training
