#include "training/gauntlet.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "training/format_text.hpp"

namespace awale::training {
namespace {

// A player's games on either side of its pairings.
struct Sum {
  int games = 0;
  double points = 0;
  int draws = 0;
  ThinkingTime time;
};

void add_games(const Match& match, Sum& first, Sum& second) {
  for (const auto& game : match.games) {
    const double points = game.first_half_points() / 2.0;
    const int drawn = game.first_half_points() == 1 ? 1 : 0;
    first.games += 1;
    second.games += 1;
    first.points += points;
    second.points += 1 - points;
    first.draws += drawn;
    second.draws += drawn;
    first.time += game.first_time;
    second.time += game.second_time;
  }
}

GauntletPlayer to_player(const std::string& name, const ListedRating& rating, const Sum& sum) {
  const double percent = sum.games == 0 ? 0 : 100.0 / sum.games;
  return {
      name, rating, sum.games, percent * sum.points, percent * sum.draws, sum.time.ms_per_move()};
}

std::string anchor_line(const GauntletReport& report) {
  std::string line = "Elo of ";
  line.append(report.anchor ? *report.anchor : "all players, in the mean,");
  return line + format_text(" is set to %g; 95 %% intervals", report.anchor_elo) +
         (report.anchor ? " of the difference\n" : "\n");
}

}  // namespace

std::vector<std::pair<int, int>> gauntlet_pairings(int players, bool round_robin) {
  std::vector<std::pair<int, int>> pairings;
  for (int first = 0; first < (round_robin ? players : 1); ++first) {
    for (int second = first + 1; second < players; ++second)
      pairings.emplace_back(first, second);
  }
  return pairings;
}

GauntletReport make_report(const std::vector<std::string>& names,
                           const std::vector<std::pair<int, int>>& pairings,
                           const std::vector<Match>& matches, const RatingListConfig& config) {
  GauntletReport report;
  std::vector<Sum> sums(names.size());
  std::vector<PairingCounts> counts;
  for (std::size_t i = 0; i < pairings.size(); ++i) {
    const Match& match = matches[i];
    const auto first = static_cast<std::size_t>(pairings[i].first);
    const auto second = static_cast<std::size_t>(pairings[i].second);
    add_games(match, sums[first], sums[second]);
    counts.push_back({pairings[i].first, pairings[i].second, count_pairs(match.games)});
    report.asked_games += match.asked_games;
    report.games += static_cast<int>(match.games.size());
    report.stopped = report.stopped || match.stopped();
    if (match.games.empty()) continue;
    report.pairings.push_back(make_report(match, names[first], names[second]));
  }
  const auto ratings = rate_list(static_cast<int>(names.size()), counts, config);
  for (std::size_t i = 0; i < names.size(); ++i)
    report.players.push_back(to_player(names[i], ratings[i], sums[i]));
  std::stable_sort(report.players.begin(), report.players.end(),
                   [](const auto& a, const auto& b) { return a.rating.elo > b.rating.elo; });
  if (config.anchor) report.anchor = names[static_cast<std::size_t>(*config.anchor)];
  report.anchor_elo = config.anchor_elo;
  return report;
}

nlohmann::ordered_json to_json(const GauntletReport& report) {
  auto players = nlohmann::ordered_json::array();
  for (const auto& player : report.players) {
    players.push_back({{"name", player.name},
                       {"elo", player.rating.elo},
                       {"elo_low", player.rating.elo_low},
                       {"elo_high", player.rating.elo_high},
                       {"games", player.games},
                       {"points_percent", player.points_percent},
                       {"draws_percent", player.draws_percent},
                       {"ms_per_move", player.ms_per_move}});
  }
  auto pairings = nlohmann::ordered_json::array();
  for (const auto& pairing : report.pairings)
    pairings.push_back(to_json(pairing));
  nlohmann::ordered_json json = {{"players", players}};
  json["anchor"] = report.anchor ? nlohmann::ordered_json(*report.anchor) : nullptr;
  json["anchor_elo"] = report.anchor_elo;
  json["games"] = report.games;
  json["asked_games"] = report.asked_games;
  json["stopped"] = report.stopped;
  json["pairings"] = pairings;
  return json;
}

std::string to_text(const GauntletReport& report) {
  std::size_t width = 6;
  for (const auto& player : report.players)
    width = std::max(width, player.name.size());
  const auto padded = [width](const std::string& text) {
    return text + std::string(width - text.size(), ' ');
  };
  std::string lines = "    #  " + padded("player") +
                      "     Elo  95 % interval    games   points    draws   ms a move\n";
  int rank = 0;
  for (const auto& player : report.players) {
    lines += format_text("%5d  ", ++rank) + padded(player.name);
    const std::string interval =
        format_text("[%+.0f, %+.0f]", player.rating.elo_low, player.rating.elo_high);
    lines += format_text("  %+6.0f  %-15s  %6d  %5.1f %%  %5.1f %%  %10.3f\n", player.rating.elo,
                         interval.c_str(), player.games, player.points_percent,
                         player.draws_percent, player.ms_per_move);
  }
  lines += anchor_line(report);
  if (report.stopped) {
    lines += format_text("stopped: %d of %d games are in pairs that are over\n", report.games,
                         report.asked_games);
  }
  return lines;
}

}  // namespace awale::training
