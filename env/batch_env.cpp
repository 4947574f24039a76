#include "env/batch_env.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::env {
namespace {

[[noreturn]] void reject(const std::string& problem) {
  throw InputError(ErrorKind::kPosition, "batch of games: " + problem);
}

// `count` games at the start position, or an error before anything is allocated.
std::vector<Game> make_games(const RuleSet& rules, int count) {
  if (count < 0) {
    throw InputError(ErrorKind::kUsage,
                     "batch of games: expected a size >= 0, found " + std::to_string(count));
  }
  return std::vector<Game>(static_cast<std::size_t>(count), Game(rules));
}

void check_move(int index, const Game& game, Move move) {
  const bool known = move < kMoves && (game.legal() >> move & 1) != 0;
  if (game.over() ? move == kNoMove : known) return;
  const Side side = game.board().to_move;
  reject("game " + std::to_string(index) + ", ply " + std::to_string(game.position().ply + 1) +
         ": expected " +
         (game.over() ? std::string("kNoMove because the game is over")
                      : "one of " + moves_text(side, game.legal())) +
         ", found " +
         (move < kMoves ? std::string(1, move_letter(side, move)) : std::to_string(move)));
}

}  // namespace

BatchEnv::BatchEnv(const RuleSet& rules, int games)
    : rules_(rules), games_(make_games(rules, games)), legal_masks_(games_.size()) {
  for (int game = 0; game < size(); ++game)
    refresh(game);
}

void BatchEnv::reset() {
  std::fill(games_.begin(), games_.end(), Game(rules_));
  for (int game = 0; game < size(); ++game)
    refresh(game);
  finished_.clear();
}

void BatchEnv::reset(std::span<const int> games) {
  reset(games, std::vector<Board>(games.size(), initial_board()));
}

void BatchEnv::reset(std::span<const int> games, std::span<const Board> starts) {
  if (starts.size() != games.size()) {
    reject("expected a start position for each of " + std::to_string(games.size()) +
           " games to reset, found " + std::to_string(starts.size()));
  }
  check_indices(games);
  std::vector<Game> fresh;  // all are built before any is replaced, because a start may be refused
  fresh.reserve(games.size());
  for (const Board& start : starts)
    fresh.emplace_back(rules_, start);
  for (std::size_t i = 0; i < games.size(); ++i) {
    games_[games[i]] = std::move(fresh[i]);
    refresh(games[i]);
  }
  finished_.clear();  // last: `games` may be finished()
}

void BatchEnv::load(int game, const Game& state) {
  check_indices({&game, 1});
  if (!state.rules().same_game(rules_)) {
    reject("game " + std::to_string(game) + " to load: expected the rules " + describe(rules_) +
           ", found " + describe(state.rules()));
  }
  games_[game] = state;
  refresh(game);
}

void BatchEnv::step(std::span<const Move> moves) {
  if (moves.size() != games_.size()) {
    reject("expected " + std::to_string(games_.size()) + " moves, found " +
           std::to_string(moves.size()));
  }
  for (int game = 0; game < size(); ++game)
    check_move(game, games_[game], moves[game]);
  finished_.clear();
  for (int game = 0; game < size(); ++game) {
    if (games_[game].over()) continue;
    games_[game].play(moves[game]);
    refresh(game);
    if (games_[game].over()) finished_.push_back(game);
  }
}

void BatchEnv::check_indices(std::span<const int> games) const {
  std::vector<bool> listed(games_.size(), false);
  for (const int game : games) {
    if (game < 0 || game >= size()) {
      reject("game " + std::to_string(game) + ": expected an index below " +
             std::to_string(size()));
    }
    if (listed[game]) reject("game " + std::to_string(game) + " is listed twice");
    listed[game] = true;
  }
}

void BatchEnv::refresh(int game) {
  legal_masks_[game] = games_[game].legal();
}

}  // namespace awale::env
