#include "training/gauntlet.hpp"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>

#include "env/error.hpp"
#include "training/cli/match_options.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/interrupt.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kMostPlayers = 200;

struct GauntletOptions : MatchOptions {
  std::vector<std::string> players;
  bool round_robin = false;
  std::string anchor;
  double anchor_elo = 0;
};

void check_players(const std::vector<std::string>& players) {
  std::set<std::string> seen;
  for (const auto& player : players) {
    if (!seen.insert(player).second) {
      throw InputError(ErrorKind::kUsage,
                       "PLAYER: expected each once, found '" + player + "' twice");
    }
  }
  if (players.size() >= 2 && players.size() <= kMostPlayers) return;
  throw InputError(ErrorKind::kUsage, "PLAYER: expected 2.." + std::to_string(kMostPlayers) +
                                          " players, found " + std::to_string(players.size()));
}

// The anchor as it is written among the players.
std::optional<int> find_anchor(const GauntletOptions& options) {
  if (options.anchor.empty()) return std::nullopt;
  const auto& players = options.players;
  const auto found = std::find(players.begin(), players.end(), options.anchor);
  if (found != players.end()) return static_cast<int>(found - players.begin());
  throw InputError(ErrorKind::kUsage,
                   "--anchor: expected one of the players as it is written there, "
                   "found '" +
                       options.anchor + "'");
}

std::vector<Match> play_all(const GauntletOptions& options, const MatchPlayers& players,
                            const std::vector<std::pair<int, int>>& pairings) {
  std::vector<Pairing> names;
  const auto player = [&players](int index) -> const NamedPlayer& {
    return players.players[static_cast<std::size_t>(index)];
  };
  for (const auto& [first, second] : pairings)
    names.emplace_back(player(first).name, player(second).name);
  const auto log =
      begin_match(options, options.round_robin ? "round robin" : "gauntlet", players, names);
  const auto asked = pairings.size() * static_cast<std::size_t>(options.match.games);
  const std::size_t played = log ? std::min(asked - 1, log->game_count()) : 0;
  Progress progress("gauntlet", "games", asked - played);
  watch_interrupt();
  std::vector<Match> matches;
  for (std::size_t i = 0; i < pairings.size(); ++i) {
    const auto& [first, second] = pairings[i];
    matches.push_back(play_match(options.setup.rules, options.match, player(first).make,
                                 player(second).make, progress, {log.get(), static_cast<int>(i)},
                                 interrupted));
  }
  if (log) log->sync();
  return matches;
}

void run_gauntlet(const CLI::App& app, GauntletOptions options) {
  check_players(options.players);
  const RatingListConfig config = {find_anchor(options), options.anchor_elo};
  const auto players = make_match_players(options.players, options, rules_given(app));
  const auto pairings =
      gauntlet_pairings(static_cast<int>(players.players.size()), options.round_robin);
  const auto matches = play_all(options, players, pairings);
  std::vector<std::string> names;
  for (const auto& player : players.players)
    names.push_back(player.name);
  const auto report = make_report(names, pairings, matches, config);
  print_how_to_go_on(options, report.stopped);
  if (report.games == 0) {
    std::fprintf(stderr, "awale: note: stopped before a pair of games was over\n");
    throw Interrupted();
  }
  print_report(report, options.setup.rules, options.match.seed, options.json);
  if (report.stopped) throw Interrupted();
}

}  // namespace

void add_gauntlet(CLI::App& app) {
  auto options = std::make_shared<GauntletOptions>();
  options->match.games = 100;
  CLI::App* gauntlet = app.add_subcommand(
      "gauntlet", "Let many players meet and rate them on one list, with intervals.");
  gauntlet->add_option("PLAYER", options->players, std::string("two or more of: ") + kPlayerForms)
      ->required()
      ->type_name("");
  gauntlet->add_flag("--round-robin", options->round_robin,
                     "everyone meets everyone; without it the first player meets all others");
  gauntlet
      ->add_option("--anchor", options->anchor,
                   "the player whose rating is set; without one the mean of all is")
      ->check(check_not_empty)
      ->type_name("PLAYER");
  add_field(*gauntlet, "--anchor-elo", options->anchor_elo, "what it is set to");
  add_match_options(*gauntlet, *options);
  add_rules(*gauntlet, options->setup.rules);
  gauntlet->footer(
      std::string(
          "--games are played in every pairing, from the same openings. All results together give\n"
          "one Elo a player by maximum likelihood (Bradley and Terry, a draw is half a point, "
          "about one\n"
          "virtual drawn game a player), with 95 % intervals from the pairs of games; of a player\n"
          "near 0 or 100 % `awale match` tells more. Ratings of an anchor's list compare with "
          "those\n"
          "of another list that has the same anchor.\n\n") +
      kMatchHelp +
      "\n"
      "Examples:\n"
      "  awale gauntlet runs/new minimax:4 minimax:8 runs/old --games 400\n"
      "  awale gauntlet runs/a/checkpoints/*.h5 --round-robin --csv list.csv\n"
      "  awale gauntlet random minimax:{1,2,4,6} --round-robin --anchor minimax:4 --json");
  gauntlet->callback([gauntlet, options] { run_gauntlet(*gauntlet, *options); });
}

}  // namespace awale::training
