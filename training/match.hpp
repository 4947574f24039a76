// Matches between two players that can be trusted: every game of a pair starts from the same
// opening with colours swapped, all openings of a match differ (openings.hpp), the games are kept
// to be counted and looked at, and a log (match_log.hpp) lets a match go on where it was stopped.
//
// Game i of a match depends on its seed, its players and i alone: not on threads, not on how many
// games were asked for, not on interruptions (but see arena.hpp for what players and evaluators
// must be for that).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "training/arena.hpp"
#include "training/match_log.hpp"
#include "training/openings.hpp"
#include "training/progress.hpp"
#include "training/sprt.hpp"

namespace awale::training {

struct MatchConfig {
  int games = 200;         // even: every opening is played with both colours
  std::uint64_t seed = 1;  // selects the openings
  int threads = 1;
  int opening_plies = kDefaultOpeningPlies;
  std::optional<SprtConfig> sprt = std::nullopt;  // stop as soon as it is decided
  int group_games = kMatchGroupGames;             // advance together; changes no result

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

struct Match {
  // Complete pairs: 2i and 2i+1, the first player is South in 2i. All that were asked for, unless
  // the test was decided before (then those up to the deciding pair) or the match was stopped (then
  // the pairs that are over).
  std::vector<MatchGame> games;
  int asked_games = 0;
  std::size_t opening_set = 0;  // how many openings there were to draw from
  std::optional<SprtTest> sprt = std::nullopt;

  bool decided() const { return sprt && sprt->verdict() != SprtVerdict::kUndecided; }
  bool stopped() const {
    return !decided() && games.size() < static_cast<std::size_t>(asked_games);
  }
};

// `count` different openings, as moves in notation, none of which ends the game. A longer list from
// the same seed begins with the shorter one. Throws InputError(kUsage) if there are not so many.
std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count,
                                       int plies = kDefaultOpeningPlies);

// Where a match is kept: one pairing of a log; without a file nowhere.
struct MatchRecord {
  MatchLog* log = nullptr;
  int pairing = 0;
};

// Plays what `record` does not hold yet of config.games games, and adds it there; asks `stop` now
// and then whether to leave the rest. Throws what players and logs throw, and InputError(kFile) if
// the log's openings are not those of the match. `progress` is told of each game.
Match play_match(
    const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
    const PlayerFactory& second, Progress& progress, MatchRecord record = {},
    const std::function<bool()>& stop = [] { return false; });

}  // namespace awale::training
