// One game: a board, its ply and the history that the rules look at.
//
// The repetition history holds the positions since the last capture, because a capture can never be
// undone; a cancelled grand slam captures nothing and so does not clear it. Where the rules do not
// count repetitions, it holds the current position only.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/board.hpp"
#include "env/rules.hpp"

namespace awale::env {

// A board with what the rules need to know of its past, without the past itself: what an evaluator
// sees. 32 bytes, trivially copyable.
struct Position {
  Board board;
  std::uint16_t ply = 0;          // moves played in the game before this position
  std::uint16_t quiet_plies = 0;  // moves played since the last capture
  std::uint8_t repetitions = 0;   // earlier occurrences of the board since the last capture; 0
                                  // where the rules do not count them
};

// How a game ended. Win, draw and loss follow from the sign of the margin.
struct Outcome {
  EndReason reason = EndReason::kNone;
  int margin_south_seeds = 0;  // final seeds of South minus North's
};

// How often `board` occurs in `history`.
int count_occurrences(std::span<const Board> history, const Board& board);

class Game {
 public:
  // Throws InputError(kUsage) if the rules are not valid, InputError(kPosition) if `start` holds
  // more than 48 seeds. A start position may already be over.
  explicit Game(const RuleSet& rules, const Board& start = initial_board());

  const RuleSet& rules() const { return rules_; }
  const Position& position() const { return position_; }
  const Board& board() const { return position_.board; }
  LegalMask legal() const { return over() ? LegalMask{0} : legal_; }
  bool over() const { return reason_ != EndReason::kNone; }
  // Only when over.
  Outcome outcome() const;

  // The positions since the last capture, the current one last; only this where the rules do not
  // count repetitions. Valid until the next play().
  std::span<const Board> history() const { return history_; }

  // Plays a legal move; returns the seeds captured. Throws InputError(kPosition) and changes
  // nothing if the move is illegal or the game is over.
  int play(Move move);

 private:
  void judge();

  RuleSet rules_;
  Position position_;
  std::vector<Board> history_;
  LegalMask legal_ = 0;
  EndReason reason_ = EndReason::kNone;
};

// Plays the letters of `moves` ("FfBeBc") from `start`. Throws InputError(kPosition) naming the
// ply.
Game replay(const RuleSet& rules, const Board& start, std::string_view moves);

// The letters of `moves`, each legal where it stands, played one after the other from `game`.
std::string line_text(Game game, std::span<const Move> moves);

}  // namespace awale::env
