#include "mcts/baseline/minimax_player.hpp"

#include <bit>

#include "env/error.hpp"
#include "env/random.hpp"

namespace awale::mcts {
namespace {

env::Move lowest_move(env::LegalMask moves) {
  return static_cast<env::Move>(std::countr_zero(moves));
}

}  // namespace

MinimaxPlayer::MinimaxPlayer(const MinimaxConfig& config,
                             std::optional<std::uint64_t> tie_break_seed)
    : config_(config), minimax_(config), tie_break_seed_(tie_break_seed) {}

void MinimaxPlayer::choose_moves(std::span<const env::Game* const> games,
                                 std::span<const std::uint64_t> game_ids,
                                 std::span<env::Move> moves) {
  AWALE_CHECK(
      games.size() == game_ids.size() && games.size() == moves.size(),
      games.size() << " games, " << game_ids.size() << " ids, " << moves.size() << " moves");
  for (std::size_t i = 0; i < games.size(); ++i)
    moves[i] = choose_move(*games[i], game_ids[i]);
}

env::Move MinimaxPlayer::choose_move(const env::Game& game, std::uint64_t game_id) {
  if (std::has_single_bit(game.legal())) return lowest_move(game.legal());
  const MinimaxResult result = minimax_.search(game);
  if (!tie_break_seed_) return result.move;
  env::RandomStream random(*tie_break_seed_, env::RandomPurpose::kMatch, game_id,
                           game.position().ply);
  return env::random_move(result.best_moves, random);
}

std::string MinimaxPlayer::name() const {
  std::string name = "minimax:";
  if (config_.time_ms > 0) {
    name.append(std::to_string(config_.time_ms)).append("ms");
  } else if (config_.nodes > 0) {
    name.append(std::to_string(config_.nodes)).append("nodes");
  } else {
    name.append(std::to_string(config_.depth));
  }
  char before = '@';
  const auto add = [&](const char* key, const std::string& value) {
    name.append(1, before).append(key).append("=").append(value);
    before = ',';
  };
  if (config_.evaluation != MinimaxEvaluation::kSeeds)
    add("evaluation", to_string(config_.evaluation));
  if (!config_.table.empty()) add("table", config_.table);
  return name;
}

}  // namespace awale::mcts
