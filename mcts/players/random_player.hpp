// Plays uniformly random legal moves: the weakest yardstick.
#pragma once

#include "mcts/player.hpp"

namespace awale::mcts {

class RandomPlayer final : public Player {
 public:
  explicit RandomPlayer(std::uint64_t seed) : seed_(seed) {}

  // Uses RandomPurpose::kMove.
  void choose_moves(std::span<const env::Game* const> games,
                    std::span<const std::uint64_t> game_ids, std::span<env::Move> moves) override;
  std::string name() const override { return "random"; }

 private:
  std::uint64_t seed_;
};

}  // namespace awale::mcts
