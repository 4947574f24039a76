#include "mcts/players/game_player.hpp"

#include <utility>

#include "env/error.hpp"

namespace awale::mcts {

GamePlayer::GamePlayer(const env::RuleSet& rules, const SearchConfig& config, std::uint64_t seed,
                       int threads, const MakeEvaluator& make_evaluator, std::string name)
    : rules_(rules),
      name_(std::move(name)),
      search_(rules, without_noise(config), seed, threads, make_evaluator) {}

void GamePlayer::choose_moves(std::span<const env::Game* const> games,
                              std::span<const std::uint64_t> game_ids, std::span<env::Move> moves) {
  for (std::size_t i = 0; i < games.size(); ++i) {
    const env::Game& game = *games[i];
    AWALE_CHECK(game.rules().same_game(rules_),
                "game under " << describe(game.rules()) << ", player under " << describe(rules_));
    moves[i] = search_.run({game.position(), game.history(), game_ids[i]}).best;
  }
}

}  // namespace awale::mcts
