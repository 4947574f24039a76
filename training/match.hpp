// Matches between two players that can be trusted: every game of a pair starts from the same
// opening with colours swapped, all openings of a match differ (openings.hpp), and the games are
// kept to be counted and looked at.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "training/arena.hpp"
#include "training/openings.hpp"
#include "training/progress.hpp"

namespace awale::training {

struct MatchConfig {
  int games = 200;         // even: every opening is played with both colours
  std::uint64_t seed = 1;  // selects the openings
  int threads = 1;
  OpeningPlies opening_plies = {};

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

struct Match {
  std::vector<MatchGame> games;  // 2i and 2i+1 are a pair; the first player is South in 2i
  ThinkingTime first_time;
  ThinkingTime second_time;
};

// `count` different openings, as moves in notation, none of which ends the game. A longer list from
// the same seed begins with the shorter one. Throws InputError(kUsage) if there are not so many.
std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count,
                                       OpeningPlies plies = {});

// Plays config.games games; game i has the id i. Throws what players throw. `progress` is told of
// each finished game.
Match play_match(const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
                 const PlayerFactory& second, Progress& progress);

}  // namespace awale::training
