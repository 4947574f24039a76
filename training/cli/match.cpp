#include "training/match.hpp"

#include <memory>

#include "env/error.hpp"
#include "training/cli/duel.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/series_report.hpp"

namespace awale::training {
namespace {

struct MatchSeriesOptions : DuelOptions {
  std::string first;
  std::string second;
  SeriesConfig series;
};

void run_series(const MatchSeriesOptions& options, const MatchPlayers& match_players) {
  check_log(options.log);
  const auto& players = match_players.players;
  SeriesConfig config = options.series;
  config.seed = options.match.seed;
  config.threads = options.match.threads;
  config.opening_plies = options.match.opening_plies;
  config.validate();
  const auto& rules = options.setup.rules;
  begin_match(options, "series", match_players, {});
  SeriesMatch match;
  {
    Progress progress("match", "series", static_cast<std::uint64_t>(config.series));
    match = play_series(rules, config, players[0].make, players[1].make, progress);
  }
  std::vector<PlayedGame> log;
  for (std::size_t i = 0; i < match.series.size(); ++i) {
    const auto& games = match.series[i].games;
    for (std::size_t k = 0; k < games.size(); ++k) {
      const std::string round = std::to_string(i + 1) + "." + std::to_string(k + 1);
      log.push_back(to_played_game(games[k].game, rules, players, round));
    }
  }
  write_log(options.log, log);
  print_report(make_report(config, std::move(match), players[0].name, players[1].name), rules,
               config.seed, options.json);
}

void run_match(const CLI::App& app, MatchSeriesOptions options) {
  if (!options.csv.empty() && options.csv == options.log) {
    throw InputError(ErrorKind::kUsage,
                     "--log and --csv: expected two files, found '" + options.log + "' for both");
  }
  const auto players =
      make_match_players({options.first, options.second}, options, rules_given(app));
  if (app.count("--points") > 0) {
    run_series(options, players);
  } else {
    run_duel(options, players);
  }
}

void add_series(CLI::App& app, SeriesConfig& series) {
  CLI::Option* points = add_field(app, "--points", series.points,
                                  "play a series to so many points instead of single games");
  points->default_str("");
  for (const char* name : {"--games", "--csv", "--sprt"})
    points->excludes(app.get_option(name));
  add_field(app, "--series", series.series, "series to play")->needs(points);
  add_field(app, "--max-games", series.max_games, "a series of so many games is left undecided")
      ->needs(points);
}

}  // namespace

void add_match(CLI::App& app) {
  auto options = std::make_shared<MatchSeriesOptions>();
  CLI::App* match = app.add_subcommand(
      "match", "Let two players of any kind meet: games in pairs, or series to a score.");
  match->add_option("A", options->first, std::string("the first player: ") + kPlayerForms)
      ->required()
      ->type_name("PLAYER");
  match->add_option("B", options->second, "the second player, likewise")
      ->required()
      ->type_name("PLAYER");
  add_duel_options(*match, *options);
  add_series(*match, options->series);
  add_rules(*match, options->setup.rules);
  match->footer(
      std::string("Rules are the first checkpoint's, where one plays, unless given.\n\n") +
      kMatchHelp +
      "\n"
      "--sprt ELO0,ELO1: pairs are tested in their order until one of \"A is ELO0 stronger\" (H0)\n"
      "and \"A is ELO1 stronger\" (H1) is accepted, with the errors asked for, or --games are\n"
      "played. So a change is shown to be worth 10 Elo with as few games as that takes.\n"
      "\n"
      "A series: lots decide who begins, then the players take turns to begin. Who wins a game\n"
      "scores a point for each of his final seeds above 24; a draw scores nothing, nor does half "
      "a\n"
      "seed (of a rest that is shared, as in awari: 25.5 score 1), nor a game won with 24 or "
      "fewer\n"
      "(as 21 win in wari_caribbean). Who first has the --points wins the series. Each opening is\n"
      "played twice, once begun by each. A series is undecided after --max-games games. Ctrl-C\n"
      "leaves neither log nor result of a series.\n"
      "\n"
      "`awale convert` replays a --log and makes another format of it.\n"
      "\n"
      "Examples:\n"
      "  awale match minimax:2 minimax:4 --games 100\n"
      "  awale match runs/a runs/b --games 10000 --csv games.csv\n"
      "  awale match runs/new runs/old --sprt 0,10 --games 20000 --csv games.csv\n"
      "  awale match runs/a minimax:10ms --equal-time 10\n"
      "  awale match runs/a runs/b:128 --log games.ogn\n"
      "  awale match --points 50 minimax:2 minimax:4\n"
      "  awale match --points 50 --series 20 random uniform-mcts:100 --json");
  match->callback([match, options] { run_match(*match, *options); });
}

}  // namespace awale::training
