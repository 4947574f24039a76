// What a match has shown, for people and for programs: the counts, the rating with its 95 %
// interval, the verdict of a test, and the signs of a match that proves less than it seems (few
// distinct games, unequal time, fewer games than were asked for).
#pragma once

#include <array>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "training/match.hpp"
#include "training/rating.hpp"

namespace awale::training {

// Wins, points and margins are the first player's.
struct MatchReport {
  std::string first;  // players' names
  std::string second;
  int games = 0;
  int asked_games = 0;
  bool stopped = false;         // before all games were played or the test decided
  std::size_t opening_set = 0;  // openings to draw from
  int distinct_games = 0;
  int wins = 0;
  int draws = 0;
  int losses = 0;
  PairCounts pairs;
  Rating rating;
  std::optional<SprtTest> sprt;
  double mean_margin_seeds = 0;
  double mean_plies = 0;            // opening included
  std::array<int, 5> endings = {};  // games by env::EndReason
  double first_ms_per_move = 0;     // wall-clock of one thread, batched players share it
  double second_ms_per_move = 0;
  std::optional<int> equal_time_ms;  // what both were to take a move, if it was said
};

// The games that differ in moves (opening included) or in the first player's side.
int count_distinct(const std::vector<MatchGame>& games);

// The points of pairs of games that follow each other.
PairCounts count_pairs(const std::vector<MatchGame>& games);

// Of a match with at least one pair.
MatchReport make_report(const Match& match, const std::string& first, const std::string& second);

// Keys: those of the struct, the rating's spread out (points_percent, ..., elo_high), "pairs" as
// [0, 1/2, 1, 3/2, 2 points], "endings" by name; "sprt" (an object) and "equal_time_ms" only where
// there are such.
nlohmann::ordered_json to_json(const MatchReport& report);

// A few lines, the last one ended.
std::string to_text(const MatchReport& report);

}  // namespace awale::training
