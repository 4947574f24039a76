#include "mcts/players/random_player.hpp"

#include <bit>

#include "env/random.hpp"

namespace awale::mcts {
namespace {

env::Move random_move(env::LegalMask legal, env::RandomStream& stream) {
  std::uint32_t skip = stream.below(static_cast<std::uint32_t>(std::popcount(legal)));
  // Clears the lowest move so many times.
  for (; skip > 0; --skip)
    legal = static_cast<env::LegalMask>(legal & (legal - 1));
  return static_cast<env::Move>(std::countr_zero(legal));
}

}  // namespace

void RandomPlayer::choose_moves(std::span<const env::Game* const> games,
                                std::span<const std::uint64_t> game_ids,
                                std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    env::RandomStream stream(seed_, env::RandomPurpose::kMove, game_ids[i],
                             games[i]->position().ply);
    moves[i] = random_move(games[i]->legal(), stream);
  }
}

}  // namespace awale::mcts
