// The alpha-beta baseline as a player.
//
// A move is a pure function of the game, the config and, if ties are broken by chance, the seed:
// equal best moves are decided by the lowest index, or by a draw from the stream of the game and
// its ply. A forced move is played without a search. One thread at a time per object.
#pragma once

#include <optional>

#include "mcts/baseline/minimax.hpp"
#include "mcts/player.hpp"

namespace awale::mcts {

class MinimaxPlayer final : public Player {
 public:
  // `tie_break_seed` draws among equal best moves with RandomPurpose::kMatch. Throws
  // InputError(kUsage) if `config` is not valid.
  explicit MinimaxPlayer(const MinimaxConfig& config,
                         std::optional<std::uint64_t> tie_break_seed = std::nullopt);

  void choose_moves(std::span<const env::Game* const> games,
                    std::span<const std::uint64_t> game_ids, std::span<env::Move> moves) override;

  // As a user writes it: "minimax:6" for a depth, "minimax:20000nodes" and "minimax:20ms" for
  // budgets, "minimax:6@evaluation=tuned".
  std::string name() const override;

 private:
  env::Move choose_move(const env::Game& game, std::uint64_t game_id);

  MinimaxConfig config_;
  Minimax minimax_;
  std::optional<std::uint64_t> tie_break_seed_;
};

}  // namespace awale::mcts
