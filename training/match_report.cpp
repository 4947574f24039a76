#include "training/match_report.hpp"

#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "training/format_text.hpp"

namespace awale::training {
namespace {

// Points of the first player, doubled.
int half_points(const MatchGame& game) {
  const int margin = game.margin_first_seeds();
  return margin > 0 ? 2 : (margin == 0 ? 1 : 0);
}

void add_game(const MatchGame& game, MatchReport& report) {
  const int points = half_points(game);
  report.wins += points == 2 ? 1 : 0;
  report.draws += points == 1 ? 1 : 0;
  report.losses += points == 0 ? 1 : 0;
  report.mean_margin_seeds += game.margin_first_seeds();
  report.mean_plies += static_cast<double>(game.moves.size());
  ++report.endings.at(static_cast<std::size_t>(game.outcome.reason));
}

}  // namespace

int count_distinct(const std::vector<MatchGame>& games) {
  std::set<std::pair<env::Side, std::string>> seen;
  for (const auto& game : games)
    seen.emplace(game.first_side, game.moves);
  return static_cast<int>(seen.size());
}

MatchReport make_report(const Match& match, const std::string& first, const std::string& second) {
  MatchReport report;
  report.first = first;
  report.second = second;
  report.games = static_cast<int>(match.games.size());
  report.distinct_games = count_distinct(match.games);
  for (const auto& game : match.games)
    add_game(game, report);
  report.mean_margin_seeds /= report.games;
  report.mean_plies /= report.games;
  for (std::size_t i = 0; i + 1 < match.games.size(); i += 2) {
    const int points = half_points(match.games[i]) + half_points(match.games[i + 1]);
    ++report.pairs.pairs.at(static_cast<std::size_t>(points));
  }
  report.rating = rate(report.pairs);
  report.first_ms_per_move = match.first_time.ms_per_move();
  report.second_ms_per_move = match.second_time.ms_per_move();
  return report;
}

nlohmann::ordered_json to_json(const MatchReport& report) {
  nlohmann::ordered_json endings;
  for (std::size_t i = 1; i < report.endings.size(); ++i) {
    endings[env::to_string(static_cast<env::EndReason>(i))] = report.endings[i];
  }
  return {{"first", report.first},
          {"second", report.second},
          {"games", report.games},
          {"distinct_games", report.distinct_games},
          {"wins", report.wins},
          {"draws", report.draws},
          {"losses", report.losses},
          {"points_percent", report.rating.points_percent},
          {"points_percent_low", report.rating.points_percent_low},
          {"points_percent_high", report.rating.points_percent_high},
          {"elo", report.rating.elo},
          {"elo_low", report.rating.elo_low},
          {"elo_high", report.rating.elo_high},
          {"pairs", report.pairs.pairs},
          {"mean_margin_seeds", report.mean_margin_seeds},
          {"mean_plies", report.mean_plies},
          {"endings", endings},
          {"first_ms_per_move", report.first_ms_per_move},
          {"second_ms_per_move", report.second_ms_per_move}};
}

std::string to_text(const MatchReport& report) {
  const Rating& rating = report.rating;
  std::string lines;
  lines += report.first + " against " + report.second + ": " + std::to_string(report.games) +
           " games, " + std::to_string(report.distinct_games) + " distinct\n";
  lines +=
      format_text("won %d, drawn %d, lost %d; margin %+.1f seeds, %.0f plies a game\n", report.wins,
                  report.draws, report.losses, report.mean_margin_seeds, report.mean_plies);
  lines += format_text("points %.1f %% [%.1f, %.1f], Elo %+.0f [%+.0f, %+.0f] (95 %% intervals)\n",
                       rating.points_percent, rating.points_percent_low, rating.points_percent_high,
                       rating.elo, rating.elo_low, rating.elo_high);
  lines += format_text("time a move: %.3f ms against %.3f ms\n", report.first_ms_per_move,
                       report.second_ms_per_move);
  return lines;
}

}  // namespace awale::training
