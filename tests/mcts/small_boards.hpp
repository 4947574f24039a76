// Endgames of few seeds and what they are really worth, by exhaustive search.
#pragma once

#include <optional>
#include <vector>

#include "env/game.hpp"

namespace awale::test {

// Of a margin: 1 won, 0 drawn, -1 lost.
inline int sign(int margin) {
  return (margin > 0) - (margin < 0);
}

// Games at every way to put `seeds` seeds into the 12 pits, without those that are over. The other
// seeds are in the stores, half each, so that nobody has won (with a target below 25 fewer). South
// and North move in turn.
std::vector<env::Game> small_games(const env::RuleSet& rules, int seeds);

// Exhaustive search of all lines with the whole history, one ply deeper until the answer is known.
// No table: where positions repeat, what one is worth depends on the way to it. It knows the rules
// and that nobody loses what he has captured.
class Prover {
 public:
  // Gives up after so many positions a question.
  explicit Prover(int most_positions) : most_positions_(most_positions) {}

  // Whether the player to move can get this final margin or more; nothing if that takes too long.
  std::optional<bool> at_least(const env::Game& game, int margin_seeds);
  // The best final margin of the player to move; of a game that is over, its margin.
  std::optional<int> margin(const env::Game& game);

 private:
  enum class Answer { kNo, kYes, kTooDeep };
  Answer search(const env::Board& board, env::LegalMask legal, int ply, int margin, int depth);
  Answer play(const env::Board& board, env::Move move, int ply, int margin, int depth);

  int most_positions_;
  int positions_ = 0;
  const env::RuleSet* rules_ = nullptr;
  std::vector<env::Board> history_;  // since the last capture, the present board last
};

}  // namespace awale::test
