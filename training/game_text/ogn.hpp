// OGN, the Oware Game Notation of Aualé (github.com/joansalasoler/auale, src/auale/serialize/ogn.py
// and src/auale/game/match.py): like chess' PGN, with the letters of Awale's notation.
//
//   [Variant "abapa"]
//   [Event "?"]
//   [Site "?"]
//   [Date "?"]
//   [Round "?"]
//   [South "Ann"]
//   [North "minimax:4"]
//   [Result "28-20"]
//   [FEN "..."]
//
//   1. F f 2. C c+2 3. E d 28-20
//
// Tags: the first eight are Aualé's roster, in its order; "?" is what is not known. FEN is a start
// other than the usual one, in Awale's notation. A value escapes \ and " by a \ before them.
// Moves: numbered in pairs from the first move, whoever makes it; +N are the seeds taken. The
// result, as tag and after the moves, is South's final seeds and North's, or * while the game goes
// on. UTF-8, lines of less than 80 characters, a blank line before the moves and between games.
// (Aualé itself opens files of one game, and writes no result behind the moves of one that goes
// on.)
//
// Variant is the name of a rule set: one of our presets, "custom" with all parameters in a tag
// Rules ("grand_slam=capture; capture_counts=2,3; ..."), or Aualé's "Oware Abapa": abapa, but what
// lies on the board when a store passes 24 is not counted. Absent or "?" says nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/rules.hpp"
#include "training/game_text/played_game.hpp"

namespace awale::training {

// What a reader has stepped over.
struct OgnSkipped {
  int comments = 0;     // {...} and ; to the end of the line
  int variations = 0;   // (...), those within others not counted
  int annotations = 0;  // $1, !, ?
};

struct OgnGames {
  std::vector<PlayedGame> games;
  OgnSkipped skipped;
  // Games whose stated seeds are not the rules' though the winner is the same, and the first of
  // them in words: people count differently what is left at the end. The rules' seeds stand.
  int other_seeds = 0;
  std::string first_other_seeds;
};

// The games in `text`; `name` is what errors call it ("'games.ogn'"). `rules`, if given, are those
// of all games, otherwise the file says them, or they are the default preset's.
//
// Read more freely than written: comments, variations and annotations are stepped over, moves need
// no numbers, no spaces and no +N, the last game before a tag or the end no result, a file may have
// Windows' line ends. What is there must be right: a game has moves or a result and no tag twice,
// a number is that of its pair, tag Result and the result behind the moves are the same. The game
// is replayed, a stated capture must be that of the rules (or, in a last move, with what the mover
// keeps at the end, as Aualé writes it), a stated winner (also as 1-0, 0-1, 1/2-1/2) the one who
// has won. In a game that the rules have not ended, a result is one that people agreed on: final
// seeds, for each no less than captured and together no more than there are. It stays as a tag.
//
// Throws InputError naming the game and its line: kPosition for what is malformed or against the
// rules; kMismatch if the file's rules are not `rules`, or are of a name unknown here.
OgnGames read_ogn(std::string_view text, const std::string& name,
                  const std::optional<env::RuleSet>& rules);

std::string write_ogn(std::span<const PlayedGame> games);

}  // namespace awale::training
