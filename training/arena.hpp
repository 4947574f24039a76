// Plays games between two players, many at once: in fixed groups that advance together and call
// the players with a batch each. A player's move depends only on the game and its id, so what is
// played does not depend on the number of threads (a player with a time limit excepted).
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

struct MatchGame {
  env::Side first_side = env::Side::kSouth;  // the side that the first player has
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
ThinkingTime& operator+=(ThinkingTime& sum, const ThinkingTime& part);

// Builds a worker's own player.
using PlayerFactory = std::function<std::unique_ptr<mcts::Player>()>;

// One thread at a time.
class Arena {
 public:
  // Builds players when a worker first gets work. threads >= 1.
  Arena(const env::RuleSet& rules, int threads, PlayerFactory first, PlayerFactory second);

  // Plays each of `games` from where its moves have brought it to its end; game i has the id
  // first_id + i. `on_finished` is told of finished games, from any thread. Throws what players
  // throw.
  void play(std::span<MatchGame> games, std::uint64_t first_id,
            const std::function<void(std::size_t games)>& on_finished);

  // All games so far.
  const ThinkingTime& first_time() const { return first_time_; }
  const ThinkingTime& second_time() const { return second_time_; }

 private:
  struct Worker {
    std::unique_ptr<mcts::Player> first;
    std::unique_ptr<mcts::Player> second;
  };

  env::RuleSet rules_;
  PlayerFactory first_;
  PlayerFactory second_;
  std::vector<Worker> workers_;
  ThinkingTime first_time_;
  ThinkingTime second_time_;
};

}  // namespace awale::training
