#include "mcts/players/random_player.hpp"
#include "env/random.hpp"

namespace awale::mcts {

void RandomPlayer::choose_moves(std::span<const env::Game* const> games,
                                std::span<const std::uint64_t> game_ids,
                                std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    env::RandomStream stream(seed_, env::RandomPurpose::kMove, game_ids[i],
                             games[i]->position().ply);
    moves[i] = env::random_move(games[i]->legal(), stream);
  }
}

}  // namespace awale::mcts
