// A game as the pages show it, as JSON: whatever a move does stands in it, so that a page needs no
// rules of its own. The types are those of web/src/game.ts.
//
// Holes are numbered 0..11 by the board, not by who moves: South's A..F, then North's a..f, in the
// direction of sowing.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string_view>

#include "env/game.hpp"
#include "training/game_text/played_game.hpp"

namespace awale::training {

// The hole of the pit `pit`, 0..11 seen from the side to move.
int hole_of(env::Side to_move, int pit);

// Board: pits, stores, side to move, position in notation.
nlohmann::ordered_json board_json(const env::Board& board);

// Ply: where the seeds of the legal move fall, one by one, what it takes, and the board after it.
nlohmann::ordered_json ply_json(const env::RuleSet& rules, const env::Board& before,
                                env::Move move);

// The rules' parameters as an object of texts, without the name.
nlohmann::ordered_json parameters_json(const env::RuleSet& rules);

// How the game ended: why, who has won, the final seeds of both. Null while it goes on.
nlohmann::ordered_json end_json(const env::Game& game);

// Game: the moves from the start, the legal moves now and what they would do, or how it ended.
// Throws InputError(kPosition) naming the ply of a move that is malformed or illegal.
nlohmann::ordered_json game_json(const env::RuleSet& rules, const env::Board& start,
                                 std::string_view moves);

// What a file tells of a game, as an object of texts.
nlohmann::ordered_json tags_json(std::span<const Tag> tags);

}  // namespace awale::training
