#include "training/match.hpp"

#include <algorithm>
#include <memory>
#include <thread>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/cli/compute.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/game_text/game_files.hpp"
#include "training/interrupt.hpp"
#include "training/match_report.hpp"
#include "training/players.hpp"
#include "training/series_report.hpp"

namespace awale::training {
namespace {

struct MatchOptions {
  std::string first;
  std::string second;
  MatchConfig match;  // its seed, threads and opening_plies are those of a series, too
  SeriesConfig series;
  std::string log;
  PlayerSetup setup;
  bool json = false;
};

struct Players {
  NamedPlayer first;
  NamedPlayer second;
  bool network = false;  // whether one of them has a network
};

// Named apart even if they are the same.
Players make_players(MatchOptions& options, bool rules_chosen) {
  const PlayerSpec first = parse_player(options.first);
  const PlayerSpec second = parse_player(options.second);
  const auto network_rules = agent_rules({first, second});
  if (!rules_chosen) options.setup.rules = network_rules.value_or(env::RuleSet{});
  options.setup.rules.validate();
  options.setup.seed = options.match.seed;
  Players players{make_player(first, options.setup), make_player(second, options.setup),
                  network_rules.has_value()};
  if (players.first.name == players.second.name) {
    players.first.name += " (A)";
    players.second.name += " (B)";
  }
  return players;
}

// Before hours of games are played for it.
void check_log(const std::string& log) {
  if (log.empty()) return;
  if (!format_of(log)) {
    throw InputError(ErrorKind::kUsage,
                     "--log: expected a name that ends in .ogn, .txt or .h5, found '" + log + "'");
  }
  nn::require_replaceable(log);
}

PlayedGame to_played_game(const MatchGame& game, const env::RuleSet& rules, const Players& players,
                          const std::string& round) {
  const bool first_is_south = game.first_side == env::Side::kSouth;
  PlayedGame played;
  played.rules = rules;
  played.moves = game.moves;
  played.outcome = game.outcome;
  played.tags = {{"Event", "awale match"},
                 {"Round", round},
                 {"South", first_is_south ? players.first.name : players.second.name},
                 {"North", first_is_south ? players.second.name : players.first.name}};
  return played;
}

void write_log(const std::string& log, const std::vector<PlayedGame>& games) {
  if (log.empty()) return;
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  write_games(log, games, *format_of(log));
}

void run_games(const MatchOptions& options, const Players& players) {
  options.match.validate();
  const auto& rules = options.setup.rules;
  Match match;
  {
    Progress progress("match", "games", static_cast<std::uint64_t>(options.match.games));
    match = play_match(rules, options.match, players.first.make, players.second.make, progress);
  }
  std::vector<PlayedGame> log;
  for (const auto& game : match.games)
    log.push_back(to_played_game(game, rules, players, std::to_string(log.size() + 1)));
  write_log(options.log, log);
  print_report(make_report(match, players.first.name, players.second.name), rules,
               options.match.seed, options.json);
}

void run_series(const MatchOptions& options, const Players& players) {
  SeriesConfig config = options.series;
  config.seed = options.match.seed;
  config.threads = options.match.threads;
  config.opening_plies = options.match.opening_plies;
  config.validate();
  const auto& rules = options.setup.rules;
  SeriesMatch match;
  {
    Progress progress("match", "series", static_cast<std::uint64_t>(config.series));
    match = play_series(rules, config, players.first.make, players.second.make, progress);
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
  print_report(make_report(config, std::move(match), players.first.name, players.second.name),
               rules, config.seed, options.json);
}

void run_match(const CLI::App& app, MatchOptions options) {
  const Players players = make_players(options, rules_given(app));
  check_log(options.log);
  if (players.network) check_compute(options.match.threads);
  if (app.count("--points") > 0) {
    run_series(options, players);
  } else {
    run_games(options, players);
  }
}

void add_opening_plies(CLI::App& app, OpeningPlies& plies) {
  const std::function<void(const int&)> choose = [&plies](const int& number) {
    plies = {number, number};
  };
  app.add_option_function("--opening-plies", choose,
                          "so many random plies begin a game; 0: none, all from the start position")
      ->check(check_number<int>)
      ->default_str("4 to 8");
}

void add_series(CLI::App& app, SeriesConfig& series) {
  CLI::Option* points = add_field(app, "--points", series.points,
                                  "play a series to so many points instead of single games");
  points->default_str("")->excludes(app.get_option("--games"));
  add_field(app, "--series", series.series, "series to play")->needs(points);
  add_field(app, "--max-games", series.max_games, "a series of so many games is left undecided")
      ->needs(points);
}

}  // namespace

void add_match(CLI::App& app) {
  auto options = std::make_shared<MatchOptions>();
  // More threads only make it faster: the result is the same.
  options->match.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  CLI::App* match = app.add_subcommand(
      "match", "Let two players of any kind meet: games in pairs, or series to a score.");
  match->add_option("A", options->first, std::string("the first player: ") + kPlayerForms)
      ->required()
      ->type_name("PLAYER");
  match->add_option("B", options->second, "the second player, likewise")
      ->required()
      ->type_name("PLAYER");
  add_field(*match, "--games", options->match.games,
            "games, even, 2 or more: each opening is played with both colours");
  add_series(*match, options->series);
  add_opening_plies(*match, options->match.opening_plies);
  match
      ->add_option("--log", options->log,
                   "write the games: .ogn, .txt (move strings) or .h5; replaced if it exists")
      ->check(check_not_empty)
      ->type_name("FILE");
  add_seed(*match, options->match.seed);
  add_threads(*match, options->match.threads);
  add_evaluator(*match, options->setup.evaluator);
  add_json(*match, options->json);
  add_simulations(*match, options->setup.search);
  add_player_search(*match, options->setup.search);
  add_rules(*match, options->setup.rules);
  match->footer(
      "Rules are the first checkpoint's, where one plays, unless given. Openings are random and\n"
      "differ from each other, because players without chance would play one game again and "
      "again;\n"
      "how many games are distinct is printed. --log is written at the end; Ctrl-C before leaves\n"
      "neither log nor result. `awale convert` replays a log and makes another format of it.\n"
      "\n"
      "A series: lots decide who begins, then the players take turns to begin. Who wins a game\n"
      "scores a point for each of his final seeds above 24; a draw scores nothing, nor does half "
      "a\n"
      "seed (of a rest that is shared, as in awari: 25.5 score 1), nor a game won with 24 or "
      "fewer\n"
      "(as 21 win in wari_caribbean). Who first has the --points wins the series. Each opening is\n"
      "played twice, once begun by each. A series is undecided after --max-games games. Intervals\n"
      "are 95 % intervals.\n"
      "\n"
      "Examples:\n"
      "  awale match minimax:2 minimax:4 --games 100\n"
      "  awale match runs/a runs/b:128 --log games.ogn\n"
      "  awale match --points 50 minimax:2 minimax:4\n"
      "  awale match --points 50 --series 20 random uniform-mcts:100 --json");
  match->callback([match, options] { run_match(*match, *options); });
}

}  // namespace awale::training
