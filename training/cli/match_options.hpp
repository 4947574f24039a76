// What the subcommands that play matches share: their options, their players, their log.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "training/match_log.hpp"
#include "training/players.hpp"

namespace awale::training {

struct MatchOptions {
  MatchConfig match;
  PlayerSetup setup;
  std::string csv;                   // the log of games; empty: none
  std::optional<int> equal_time_ms;  // both players' time a move
  bool json = false;
};

// --games, --opening-plies, --csv, --equal-time, seed, threads, evaluator, search, --json.
void add_match_options(CLI::App& app, MatchOptions& options);
// --sprt.
void add_sprt(CLI::App& app, MatchOptions& options);

// The players of a match, ready to play, and what --equal-time has come to.
struct MatchPlayers {
  std::vector<NamedPlayer> players;  // their names differ
  std::vector<int> simulations;      // found for --equal-time, 0: this player counts none
};

// Builds them under the rules of the first agent, unless `rules_chosen`; both go to `options`. Of
// players called the same the names get (A), (B), ... Simulations for --equal-time come from the
// log, if it has some, or are measured. Throws InputError as parse_player() and make_player() do.
MatchPlayers make_match_players(const std::vector<std::string>& texts, MatchOptions& options,
                                bool rules_chosen);

// Opens the log of a match, nothing without --csv. Throws what MatchLog does.
std::unique_ptr<MatchLog> begin_match(const MatchOptions& options, const std::string& kind,
                                      const MatchPlayers& players, std::vector<Pairing> pairings);

// Tells, after a match that was stopped, how to go on.
void print_how_to_go_on(const MatchOptions& options, bool stopped);

// Footer texts that hold for all of them.
inline constexpr const char* kMatchHelp =
    "Openings are drawn by the seed, without replacement, from all distinct positions after\n"
    "--opening-plies plies; each is played with both colours. The pair is the unit of all\n"
    "intervals (95 %), because its games are not independent. Elo is kept finite: a score of 0 or\n"
    "100 % counts as half a point off it.\n"
    "\n"
    "--csv writes a line a game as it ends. When the command was stopped (Ctrl-C, which reports\n"
    "what was played, or a crash), the same command goes on from the file and comes to the result\n"
    "it would have come to; more --games may be asked for. A file of other players, rules, seeds\n"
    "or settings is refused. In Python: pandas.read_csv(FILE, skiprows=1).\n"
    "\n"
    "--equal-time MS: at the start the simulations of each searching player are fitted so that a\n"
    "move takes MS milliseconds of one thread when a group of games is searched at once. "
    "Alpha-beta\n"
    "joins as minimax:MSms. What a move really took is printed.\n";

}  // namespace awale::training
