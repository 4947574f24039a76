// A game as people exchange it: where it started, its moves and how it ended; what all formats of
// games have in common. Every reader replays what it reads, so a PlayedGame is a game by its rules.
#pragma once

#include <string>
#include <vector>

#include "env/game.hpp"

namespace awale::training {

// A name and a value that a file tells of a game, e.g. South and who played it.
struct Tag {
  std::string name;
  std::string value;
  friend bool operator==(const Tag&, const Tag&) = default;
};

struct PlayedGame {
  env::RuleSet rules;
  env::Board start = env::initial_board();
  std::string moves;      // in notation ("FfBeBc"), legal from `start`
  env::Outcome outcome;   // reason kNone while the rules have not ended the game
  std::vector<Tag> tags;  // in the file's order. What follows from the rest is no tag: the rules,
                          // the start and the result, but for one that people agreed on in a game
                          // that the rules have not ended
};

inline bool finished(const PlayedGame& game) {
  return game.outcome.reason != env::EndReason::kNone;
}

// The game of `moves` from `start`, without tags. Throws InputError(kPosition) that begins with
// `place` ("'games.txt', line 3") and names the ply.
PlayedGame replay_game(const env::RuleSet& rules, const env::Board& start, const std::string& moves,
                       const std::string& place);

}  // namespace awale::training
