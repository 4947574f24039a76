// Series, as tournaments play them: game after game, until a player has the score agreed before.
//
// Lots decide who begins the first game, then the players take turns to begin; who begins is South.
// The winner of a game scores a point for each of his final seeds above 24, half of all (a half
// seed, as a shared rest may leave it, makes none); a draw scores nothing, nor does a game won with
// 24 or fewer, where the rules have a lower target. Who first has the agreed points wins the
// series. A series that does not come to an end, because no game scores, is stopped after a number
// of games and stays undecided.
//
// The 1st and 2nd, 3rd and 4th, ... game of a series share an opening (openings.hpp), so that each
// player begins from it once; otherwise all openings differ, whatever the series. Series are played
// side by side, a game of each at a time. Everything depends on the seed alone, not on the threads.
#pragma once

#include <cstdint>
#include <vector>

#include "training/arena.hpp"
#include "training/openings.hpp"
#include "training/progress.hpp"

namespace awale::training {

struct SeriesConfig {
  int points = 50;         // that win a series
  int series = 1;          // how many to play
  int max_games = 1000;    // in a series, then it is undecided
  std::uint64_t seed = 1;  // selects lots and openings
  int threads = 1;
  int opening_plies = kDefaultOpeningPlies;

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

struct SeriesGame {
  MatchGame game;            // the first player begins if he is South
  int first_half_seeds = 0;  // final ones, doubled: a rest may be shared
  int second_half_seeds = 0;
  int first_points = 0;  // in the series, this game included
  int second_points = 0;
};

enum class SeriesWinner { kNobody, kFirst, kSecond };

struct Series {
  std::vector<SeriesGame> games;
  SeriesWinner winner = SeriesWinner::kNobody;
};

struct SeriesMatch {
  std::vector<Series> series;
  ThinkingTime first_time;
  ThinkingTime second_time;
};

// Points for a game in which the winner has `winner_half_seeds`.
int series_points(int winner_half_seeds);

// Who begins the first game of series number `series`: true for the first player. Uses
// RandomPurpose::kMatch.
bool draw_lots(std::uint64_t seed, int series);

// Throws what players throw, and InputError(kUsage) if there are not enough different openings.
// `progress` is told of each finished series.
SeriesMatch play_series(const env::RuleSet& rules, const SeriesConfig& config,
                        const PlayerFactory& first, const PlayerFactory& second,
                        Progress& progress);

}  // namespace awale::training
