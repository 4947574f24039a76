// Move strings: a game a line, its moves one after the other.
//
//   # a comment
//   FfBeBc
//   0-0-0-0-0-2-0-0-0-0-0-2-21-23-S moves FfAaBbCcDdEe
//
// A game that does not begin at the start position, or has no move yet, is written with its start
// as Aalina's suites write it (joansalasoler/samurai, SuiteReader: "DIAGRAM [moves NOTATION]").
// Blank lines and lines that begin with # are no games. The format says nothing of the rules and of
// the players: the rules are the reader's to know, and a game has ended if they say so.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/rules.hpp"
#include "training/game_text/played_game.hpp"

namespace awale::training {

// The games in `text`; `name` is what errors call it ("'games.txt'"). Start positions may hold less
// than 48 seeds. Throws InputError(kPosition) naming the line, and the ply of an illegal move.
std::vector<PlayedGame> read_move_strings(std::string_view text, const std::string& name,
                                          const env::RuleSet& rules);

std::string write_move_strings(std::span<const PlayedGame> games);

}  // namespace awale::training
