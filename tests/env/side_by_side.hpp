// The same games in every implementation of the rules at once: the naive rules, env::Game and one
// BatchEnv a kernel. Whatever is done is done to all, and all that can be seen afterwards is
// compared; a difference throws a Disagreement that says how to get there. Knows no test framework,
// so that the fuzzer uses it too.
#pragma once

#include <bit>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "env/batch_env.hpp"
#include "env/game.hpp"
#include "tests/env/naive_rules.hpp"
#include "tests/env/snapshot.hpp"

namespace awale::test {

// Rules, start position and moves of the game, what the naive rules see and what another saw.
class Disagreement : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class SideBySide {
 public:
  // Game i begins at starts[i].
  SideBySide(const env::RuleSet& rules, const std::vector<env::Board>& starts);

  int size() const { return static_cast<int>(games_.size()); }
  // Only to be looked at.
  const naive::Game& naive_game(int game) const { return naive_games_[game]; }
  const env::Game& game(int game) const { return games_[game]; }

  // As BatchEnv's: a legal move, kNoMove exactly where a game is over.
  void step(const std::vector<env::Move>& moves);
  void reset(const std::vector<int>& games, const std::vector<env::Board>& starts);
  // Game `to` becomes a copy of game `from`.
  void load(int to, int from);

  // A step in which the move of `game` is `bad`, an illegal one: all must refuse it and stay as
  // they are.
  void refuse(std::vector<env::Move> moves, int game, env::Move bad);

 private:
  void compare(int game) const;
  void compare_finished(const std::vector<int>& expected) const;
  [[noreturn]] void disagree(int game, const std::string& who, const std::string& expected,
                             const std::string& found) const;

  env::RuleSet rules_;
  std::vector<naive::Game> naive_games_;
  std::vector<env::Game> games_;
  std::vector<env::BatchEnv> batches_;
  std::vector<std::string> records_;  // a game: its start position and the moves since
};

// Moves for a step: where a game goes on, the legal one of rank draw(game, number of legal moves).
template <typename Draw>
std::vector<env::Move> draw_moves(const SideBySide& games, const Draw& draw) {
  std::vector<env::Move> moves(games.size(), env::kNoMove);
  for (int i = 0; i < games.size(); ++i) {
    const env::LegalMask legal = games.game(i).legal();
    if (legal == 0) continue;
    moves[i] = nth_move(legal, draw(i, static_cast<std::uint32_t>(std::popcount(legal))));
  }
  return moves;
}

}  // namespace awale::test
