// Plays games between two players, many at once: in groups that advance together and call the
// players with a batch each. A player's move depends only on the game and its id, so what is played
// does not depend on the number of threads, nor on which games share a group (a player with a time
// limit excepted, and an evaluator whose rounding depends on its batch: the kinds of LibTorch).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/game.hpp"
#include "mcts/player.hpp"

namespace awale::training {

inline constexpr int kMatchGroupGames = 64;

// What a player's moves took. Wall-clock: not reproducible.
struct ThinkingTime {
  std::uint64_t moves = 0;
  double seconds = 0;  // of one thread; a batch's time is shared equally by its games
  double ms_per_move() const {
    return moves == 0 ? 0 : 1000 * seconds / static_cast<double>(moves);
  }
};
ThinkingTime& operator+=(ThinkingTime& sum, const ThinkingTime& part);

struct MatchGame {
  env::Side first_side = env::Side::kSouth;  // the side that the first player has
  int opening_plies = 0;                     // plies of the opening, at the beginning of `moves`
  std::string moves;                         // all of them, in notation, from the start position
  env::Outcome outcome;                      // reason kNone: not over
  std::uint64_t id = 0;                      // selects the players' random streams
  ThinkingTime first_time = {};              // the opening excluded
  ThinkingTime second_time = {};

  bool over() const { return outcome.reason != env::EndReason::kNone; }
  // Final seeds of the first player minus the second's.
  int margin_first_seeds() const;
  // What the first player scored, doubled: 2, 1 or 0.
  int first_half_points() const;
};

// Builds a worker's own player.
using PlayerFactory = std::function<std::unique_ptr<mcts::Player>()>;

// Told and asked while games are played, from any thread.
struct ArenaWatch {
  std::function<void(const MatchGame&)> on_over = [](const MatchGame&) {};
  std::function<bool()> stop = [] { return false; };  // true: leave the games that are not over
};

// One thread at a time.
class Arena {
 public:
  // Builds players when a worker first gets work. threads, group_games >= 1.
  Arena(const env::RuleSet& rules, int threads, PlayerFactory first, PlayerFactory second,
        int group_games = kMatchGroupGames);

  // Plays each of `games` from where its moves have brought it to its end, in their order as
  // threads get free. Throws what players and `watch` throw.
  void play(std::span<MatchGame> games, const ArenaWatch& watch = {});

 private:
  struct Worker {
    std::unique_ptr<mcts::Player> first;
    std::unique_ptr<mcts::Player> second;
  };

  env::RuleSet rules_;
  PlayerFactory first_;
  PlayerFactory second_;
  std::vector<Worker> workers_;
  std::size_t group_games_;
};

}  // namespace awale::training
