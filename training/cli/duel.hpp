// Two players meet, game after game: what `awale match` and `awale evaluate` do.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "training/cli/match_options.hpp"
#include "training/game_text/played_game.hpp"

namespace awale::training {

struct DuelOptions : MatchOptions {
  std::string log;  // the games as a file of another format; empty: none
};

// add_match_options(), --sprt and --log.
void add_duel_options(CLI::App& app, DuelOptions& options);

// Before hours of games are played for it. Throws InputError: kUsage for an unknown format, kWrite.
void check_log(const std::string& log);

// A game as `log` holds it; `round` is its number.
PlayedGame to_played_game(const MatchGame& game, const env::RuleSet& rules,
                          const std::vector<NamedPlayer>& players, const std::string& round);

// Replaces the file. Throws InputError(kWrite).
void write_log(const std::string& log, const std::vector<PlayedGame>& games);

// Plays, logs and prints; Ctrl-C ends it with what has been played.
void run_duel(const DuelOptions& options, const MatchPlayers& players);

}  // namespace awale::training
