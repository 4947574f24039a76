#include "training/series_report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "env/final_score.hpp"
#include "training/format_text.hpp"
#include "training/match_report.hpp"
#include "training/rating.hpp"

namespace awale::training {
namespace {

bool first_begins(const SeriesGame& played) {
  return played.game.first_side == env::Side::kSouth;
}

void count_games(const Series& series, SeriesReport& report, std::vector<MatchGame>& all) {
  for (const auto& played : series.games) {
    ++report.games;
    report.drawn_games += played.game.outcome.margin_south_seeds == 0 ? 1 : 0;
    all.push_back(played.game);
  }
}

void count_winner(SeriesWinner winner, SeriesReport& report) {
  report.first_wins += winner == SeriesWinner::kFirst ? 1 : 0;
  report.second_wins += winner == SeriesWinner::kSecond ? 1 : 0;
  report.undecided += winner == SeriesWinner::kNobody ? 1 : 0;
}

nlohmann::ordered_json to_json(const SeriesGame& played) {
  return {{"begins", first_begins(played) ? "first" : "second"},
          {"first_seeds", played.first_half_seeds / 2.0},
          {"second_seeds", played.second_half_seeds / 2.0},
          {"ending", env::to_string(played.game.outcome.reason)},
          {"first_points", played.first_points},
          {"second_points", played.second_points},
          {"opening_plies", played.game.opening_plies},
          {"moves", played.game.moves}};
}

nlohmann::ordered_json to_json(const Series& series) {
  auto games = nlohmann::ordered_json::array();
  for (const auto& played : series.games)
    games.push_back(to_json(played));
  nlohmann::ordered_json winner;
  if (series.winner == SeriesWinner::kFirst) winner = "first";
  if (series.winner == SeriesWinner::kSecond) winner = "second";
  return {{"winner", winner}, {"games", games}};
}

const char* winner_text(SeriesWinner winner) {
  if (winner == SeriesWinner::kNobody) return "undecided";
  return winner == SeriesWinner::kFirst ? "A" : "B";
}

std::string seeds_text(const SeriesGame& played) {
  return env::half_seeds_text(played.first_half_seeds) + "-" +
         env::half_seeds_text(played.second_half_seeds);
}

std::string points_text(const SeriesGame& played) {
  return std::to_string(played.first_points) + "-" + std::to_string(played.second_points);
}

std::string game_lines(const Series& series) {
  std::string lines = "game  begins  seeds A-B  winner  ending      points A-B\n";
  for (std::size_t i = 0; i < series.games.size(); ++i) {
    const auto& played = series.games[i];
    const int margin = played.game.margin_first_seeds();
    lines +=
        format_text("%4zu  %-6s  %9s  %-6s  %-10s  %10s\n", i + 1, first_begins(played) ? "A" : "B",
                    seeds_text(played).c_str(), margin > 0 ? "A" : (margin < 0 ? "B" : "draw"),
                    env::to_string(played.game.outcome.reason), points_text(played).c_str());
  }
  return lines;
}

std::string series_lines(const std::vector<Series>& all) {
  std::string lines = "series  begins  games  points A-B  winner\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& games = all[i].games;
    lines +=
        format_text("%6zu  %-6s  %5zu  %10s  %s\n", i + 1, first_begins(games.front()) ? "A" : "B",
                    games.size(), points_text(games.back()).c_str(), winner_text(all[i].winner));
  }
  return lines;
}

std::string winner_line(const SeriesReport& report, const Series& series) {
  const auto& last = series.games.back();
  const std::string games = count_text(series.games.size(), "game");
  if (series.winner == SeriesWinner::kNobody) {
    return format_text("undecided at %s after %s, as many as a series may have\n",
                       points_text(last).c_str(), games.c_str());
  }
  const bool first = series.winner == SeriesWinner::kFirst;
  const std::string name =
      std::string(first ? "A, " : "B, ") + (first ? report.first : report.second);
  return name + format_text(", wins the series with %d to %d points after %s\n",
                            std::max(last.first_points, last.second_points),
                            std::min(last.first_points, last.second_points), games.c_str());
}

std::string count_lines(const SeriesReport& report) {
  std::string lines = format_text("A won %d series, B %d, undecided %d", report.first_wins,
                                  report.second_wins, report.undecided);
  if (report.first_wins + report.second_wins > 0) {
    lines += format_text("; A won %.1f %% [%.1f, %.1f] of the decided (95 %% interval)",
                         report.wins_percent, report.wins_percent_low, report.wins_percent_high);
  }
  return lines + "\n";
}

}  // namespace

SeriesReport make_report(const SeriesConfig& config, SeriesMatch match, const std::string& first,
                         const std::string& second) {
  SeriesReport report;
  report.first = first;
  report.second = second;
  report.config = config;
  report.match = std::move(match);
  std::vector<MatchGame> all;
  for (const auto& series : report.match.series) {
    count_games(series, report, all);
    count_winner(series.winner, report);
  }
  report.distinct_games = count_distinct(all);
  const double decided = report.first_wins + report.second_wins;
  if (decided == 0) return report;
  const double share = report.first_wins / decided;
  const auto [low, high] = wilson_interval(share, decided);
  report.wins_percent = 100 * share;
  report.wins_percent_low = 100 * low;
  report.wins_percent_high = 100 * high;
  return report;
}

nlohmann::ordered_json to_json(const SeriesReport& report) {
  const bool decided = report.first_wins + report.second_wins > 0;
  const auto percent = [decided](double value) {
    return decided ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  auto results = nlohmann::ordered_json::array();
  for (const auto& series : report.match.series)
    results.push_back(to_json(series));
  return {{"first", report.first},
          {"second", report.second},
          {"points", report.config.points},
          {"max_games", report.config.max_games},
          {"series", report.match.series.size()},
          {"first_wins", report.first_wins},
          {"second_wins", report.second_wins},
          {"undecided", report.undecided},
          {"wins_percent", percent(report.wins_percent)},
          {"wins_percent_low", percent(report.wins_percent_low)},
          {"wins_percent_high", percent(report.wins_percent_high)},
          {"games", report.games},
          {"drawn_games", report.drawn_games},
          {"distinct_games", report.distinct_games},
          {"first_ms_per_move", report.match.first_time.ms_per_move()},
          {"second_ms_per_move", report.match.second_time.ms_per_move()},
          {"results", results}};
}

std::string to_text(const SeriesReport& report) {
  const auto& all = report.match.series;
  std::string lines = "A " + report.first + "\nB " + report.second + "\n";
  lines += all.size() == 1 ? game_lines(all.front()) : series_lines(all);
  lines += all.size() == 1 ? winner_line(report, all.front()) : count_lines(report);
  lines +=
      format_text("%s, %d distinct, %d drawn; time a move: %.3f ms against %.3f ms\n",
                  count_text(static_cast<std::size_t>(report.games), "game").c_str(),
                  report.distinct_games, report.drawn_games, report.match.first_time.ms_per_move(),
                  report.match.second_time.ms_per_move());
  return lines;
}

}  // namespace awale::training
