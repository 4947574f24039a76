// What an endgame table proves of a position and of each of its moves: the yardstick of a grade.
//
// A position is judged as if a game began there, without a past, and as if no ply limit ended it:
// the plies that a table's guarantees may take in the worst case, summed over all captures, soon
// exceed every limit, those of play do not. Two measures:
//
//   result   win, draw or loss of the whole game, stores and target included (final_bounds.hpp).
//            What a table cannot prove is unknown and never counted as a mistake.
//   seeds    those still on the board, mover's minus opponent's, played on to the end as if no
//            target ended the game. A move that wins by reaching the target gives none away: the
//            game is over.
//
// Where the rules score a circle by the rows the table has two guarantees instead of a value. Then
// a move gives away what is certain: the seeds guaranteed before it minus the most that can still
// be had after it. Where a value is exact before and after, so is the difference.
//
// A loss that is found here is one in the game with its past, too. The opponent's play that proves
// it cannot lead back to the position before the move, for there it would prove the same, and less
// than what was guaranteed. The converse does not hold: a quiet move may keep the value and get no
// nearer to it, and only further moves show that.
//
// Pure functions, safe from any thread.
#pragma once

#include <array>
#include <optional>

#include "env/board.hpp"
#include "env/endgame/final_bounds.hpp"
#include "env/endgame/table.hpp"
#include "env/rules.hpp"

namespace awale::training {

// Where in a game a graded position is placed for those who look at the plies left.
inline constexpr int kGradedPly = 60;

// Bounds seen by the player who moves.
struct MoveTruth {
  env::FutureMargin future;  // seeds from here on, with what the move captures
  env::FinalMargin at_end;   // of the game
  bool ends_game = false;    // then `at_end` is exact
  bool wins_by_target = false;
};

struct BoardTruth {
  env::LegalMask legal = 0;
  env::FutureMargin future;
  env::FinalMargin at_end;
  std::array<MoveTruth, env::kMoves> moves = {};  // of legal moves
};

// -1, 0 or 1: loss, draw or win of the player to move, as far as it is certain.
std::optional<int> known_result(const env::FinalMargin& margin);

// Of a board under rules that the table is for. Nothing if the table does not cover it or if the
// game is over at kGradedPly. Some hundred nanoseconds, mostly memory.
std::optional<BoardTruth> judge(const env::EndgameTable& table, const env::RuleSet& rules,
                                const env::Board& board);

// What a move does to the result that was certain before it (at least a draw, or a win).
enum class ResultChange {
  kKept,     // still certain, as far as boards go
  kLost,     // certainly worse now
  kUnknown,  // neither
};
ResultChange result_change(const BoardTruth& truth, env::Move move);

// The result is known, no loss, and some legal move certainly makes it worse.
bool result_at_stake(const BoardTruth& truth);

// Certain loss of the move in seeds, 0 or more.
int seeds_given_away(const BoardTruth& truth, env::Move move);

// Whether that is all that it gives away.
bool exact_loss(const BoardTruth& truth, env::Move move);

// The legal moves that give nothing away for certain: where the value is exact, the best ones.
env::LegalMask best_moves(const BoardTruth& truth);

// Some legal move is certainly worse than another one.
inline bool has_choice(const BoardTruth& truth) {
  return best_moves(truth) != truth.legal;
}

}  // namespace awale::training
