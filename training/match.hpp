// Matches between two players that can be trusted: every game of a pair starts from the same
// opening with colours swapped, all openings of a match differ, and the games are kept to be
// counted and looked at.
//
// Openings are positions after kMinOpeningPlies..kMaxOpeningPlies uniformly random legal plies from
// the start. Two openings are the same if they look alike to the player to move, whichever side
// that is. Games are played many at once in fixed groups that each call the players with a batch; a
// player's move depends only on the game and its id, so the result does not depend on the number of
// threads (a player with a time limit excepted).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "env/game.hpp"
#include "mcts/player.hpp"
#include "training/progress.hpp"

namespace awale::training {

inline constexpr int kMinOpeningPlies = 4;
inline constexpr int kMaxOpeningPlies = 8;
inline constexpr int kMatchGroupGames = 64;

struct MatchConfig {
  int games = 200;         // even: every opening is played with both colours
  std::uint64_t seed = 1;  // selects the openings
  int threads = 1;

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

struct MatchGame {
  env::Side first_side = env::Side::kSouth;  // the side that the first player had
  int opening_plies = 0;                     // random plies at the beginning of `moves`
  std::string moves;                         // all of them, in notation, from the start position
  env::Outcome outcome;

  // Final seeds of the first player minus the second's.
  int margin_first_seeds() const;
};

// What a player's moves took, all its games together. Wall-clock: not reproducible.
struct ThinkingTime {
  std::uint64_t moves = 0;
  double seconds = 0;  // of one thread
  double ms_per_move() const {
    return moves == 0 ? 0 : 1000 * seconds / static_cast<double>(moves);
  }
};

struct Match {
  std::vector<MatchGame> games;  // 2i and 2i+1 are a pair; the first player is South in 2i
  ThinkingTime first_time;
  ThinkingTime second_time;
};

// Builds a worker's own player.
using PlayerFactory = std::function<std::unique_ptr<mcts::Player>()>;

// `count` different openings, as moves in notation, none of which ends the game. A longer list from
// the same seed begins with the shorter one. Uses RandomPurpose::kMatch, ply 0. Throws
// InputError(kUsage) if there are not so many.
std::vector<std::string> make_openings(const env::RuleSet& rules, std::uint64_t seed, int count);

// Plays config.games games; game i has the id i. Throws what players throw. `progress` is told of
// each finished game.
Match play_match(const env::RuleSet& rules, const MatchConfig& config, const PlayerFactory& first,
                 const PlayerFactory& second, Progress& progress);

}  // namespace awale::training
