#include "training/cli/duel.hpp"

#include <algorithm>
#include <cstdio>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/game_text/game_files.hpp"
#include "training/interrupt.hpp"
#include "training/match_report.hpp"

namespace awale::training {
namespace {

// Games that are still to be played.
std::uint64_t missing_games(const DuelOptions& options, const MatchLog* log) {
  const auto asked = static_cast<std::size_t>(options.match.games);
  const std::size_t played = log == nullptr ? 0 : log->game_count();
  return std::max<std::size_t>(1, asked - std::min(asked, played));
}

Match play(const DuelOptions& options, const MatchPlayers& players) {
  const NamedPlayer& first = players.players[0];
  const NamedPlayer& second = players.players[1];
  const auto log = begin_match(options, "match", players, {{first.name, second.name}});
  Progress progress("match", "games", missing_games(options, log.get()));
  watch_interrupt();
  Match match = play_match(options.setup.rules, options.match, first.make, second.make, progress,
                           {log.get(), 0}, interrupted);
  if (log) log->sync();
  return match;
}

}  // namespace

void add_duel_options(CLI::App& app, DuelOptions& options) {
  add_match_options(app, options);
  add_sprt(app, options);
  app.add_option("--log", options.log,
                 "write the games: .ogn, .txt (move strings) or .h5; replaced if it exists")
      ->check(check_not_empty)
      ->type_name("FILE");
}

void check_log(const std::string& log) {
  if (log.empty()) return;
  if (!format_of(log)) {
    throw InputError(ErrorKind::kUsage,
                     "--log: expected a name that ends in .ogn, .txt or .h5, found '" + log + "'");
  }
  nn::require_replaceable(log);
}

PlayedGame to_played_game(const MatchGame& game, const env::RuleSet& rules,
                          const std::vector<NamedPlayer>& players, const std::string& round) {
  const bool first_is_south = game.first_side == env::Side::kSouth;
  PlayedGame played;
  played.rules = rules;
  played.moves = game.moves;
  played.outcome = game.outcome;
  played.tags = {{"Event", "awale match"},
                 {"Round", round},
                 {"South", players[first_is_south ? 0 : 1].name},
                 {"North", players[first_is_south ? 1 : 0].name}};
  return played;
}

void write_log(const std::string& log, const std::vector<PlayedGame>& games) {
  if (log.empty()) return;
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  write_games(log, games, *format_of(log));
}

void run_duel(const DuelOptions& options, const MatchPlayers& players) {
  check_log(options.log);
  const auto& rules = options.setup.rules;
  const Match match = play(options, players);
  print_how_to_go_on(options, match.stopped());
  if (match.games.empty()) {
    std::fprintf(stderr, "awale: note: stopped before a pair of games was over\n");
    throw Interrupted();
  }
  std::vector<PlayedGame> log;
  for (const auto& game : match.games)
    log.push_back(to_played_game(game, rules, players.players, std::to_string(log.size() + 1)));
  write_log(options.log, log);
  auto report = make_report(match, players.players[0].name, players.players[1].name);
  report.equal_time_ms = options.equal_time_ms;
  print_report(report, rules, options.match.seed, options.json);
  if (match.stopped()) throw Interrupted();
}

}  // namespace awale::training
