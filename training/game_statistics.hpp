// What a set of games looks like: how many, how many different ones, lengths, endings, who wins.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <unordered_set>

#include "training/trajectory.hpp"

namespace awale::training {

// Of start, moves and rules_index, which decide all else; 64 bits do not collide by chance.
std::uint64_t hash_course(const GameRecord& game);

class GameStatistics {
 public:
  void add(const GameRecord& game);

  std::uint64_t games() const { return games_; }

  // Keys games, distinct_games (equal start and moves count once), plies, training_rows,
  // plies_a_game {shortest, mean, longest}, endings {reason: games, and those adjudicated},
  // first_player_points_percent (a win 1, a draw 1/2).
  nlohmann::ordered_json to_json() const;

 private:
  std::uint64_t games_ = 0;
  std::uint64_t plies_ = 0;
  std::uint64_t training_rows_ = 0;
  std::uint64_t shortest_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t longest_ = 0;
  double first_player_points_ = 0;
  std::array<std::uint64_t, 5> endings_ = {};  // by env::EndReason; kNone are the adjudicated
  std::unordered_set<std::uint64_t> courses_;  // hash_course()
};

}  // namespace awale::training
