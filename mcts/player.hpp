// Who chooses a move: the one interface that matches, terminal play and evaluation share.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "env/game.hpp"

namespace awale::mcts {

class Player {
 public:
  virtual ~Player() = default;

  // A legal move for each of `games` (none is over), all under the same rules. moves[i] belongs to
  // games[i]; game_ids[i] together with the ply selects its random stream, so a move does not
  // depend on which other games are in the batch.
  virtual void choose_moves(std::span<const env::Game* const> games,
                            std::span<const std::uint64_t> game_ids,
                            std::span<env::Move> moves) = 0;

  // e.g. "minimax:4", "mcts:64 runs/quickstart".
  virtual std::string name() const = 0;
};

}  // namespace awale::mcts
