// What series have shown, for people and for programs: who won how many, and for a single series
// game after game.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "training/series.hpp"

namespace awale::training {

struct SeriesReport {
  std::string first;  // players' names
  std::string second;
  SeriesConfig config;
  SeriesMatch match;
  int first_wins = 0;  // series
  int second_wins = 0;
  int undecided = 0;  // stopped at config.max_games
  int games = 0;      // of all series
  int drawn_games = 0;
  int distinct_games = 0;
  // The first player's share of the decided series with its 95 % interval (Wilson 1927); 0 if none
  // is decided.
  double wins_percent = 0;
  double wins_percent_low = 0;
  double wins_percent_high = 0;
};

SeriesReport make_report(const SeriesConfig& config, SeriesMatch match, const std::string& first,
                         const std::string& second);

// The counts as in the struct (the percentages null if no series is decided), and "results": an
// object a series with its winner ("first", "second", null) and its games.
nlohmann::ordered_json to_json(const SeriesReport& report);

// A line a game for a single series, a line a series for more; then the result. A and B are the
// players.
std::string to_text(const SeriesReport& report);

}  // namespace awale::training
