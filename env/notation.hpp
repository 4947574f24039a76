// Positions and moves as text, in the notation of Aualé and Aalina.
//
// Position: "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S": pits A..F, a..f, South's store, North's store, side to
// move; South's orientation always. Move: the letter of its origin, A..F for South, a..f for North.
// A game: letters one after the other, "FfBeBc". Errors are InputError(kPosition) and name the
// field or the ply.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/board.hpp"

namespace awale::env {

std::string to_text(const Board& board);

// How many seeds pits and stores together may hold.
enum class SeedCount {
  kGame,   // exactly 48
  kStudy,  // at most 48
};

// The board of `text`. The short form of 12 pits ("0-0-...-1", South to move, empty stores) is
// accepted for study positions.
Board parse_board(std::string_view text, SeedCount seeds = SeedCount::kGame);

// The letter of `move` when `side` plays it.
char move_letter(Side side, Move move);

// The move of `letter`; throws when it is no letter of `side`. `ply` (from 1) is for the message.
Move parse_move(char letter, Side side, int ply = 1);

// "A C F" for a mask, for messages.
std::string moves_text(Side side, LegalMask moves);

}  // namespace awale::env
