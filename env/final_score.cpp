#include "env/final_score.hpp"

namespace awale::env {
namespace {

// Of the seeds still on the board, in half seeds; `row` and `other_row` in seeds.
int share_half_seeds(CutOffScore score, int row, int other_row) {
  switch (score) {
    case CutOffScore::kOwnRow:
      return 2 * row;
    case CutOffScore::kSplit:
      return row + other_row;
    case CutOffScore::kCaptured:
      return 0;
  }
  return 0;
}

}  // namespace

CutOffScore remaining_score(const RuleSet& rules, EndReason reason) {
  switch (reason) {
    case EndReason::kNone:
      return CutOffScore::kCaptured;
    case EndReason::kTarget:
      return rules.sweep_at_target ? CutOffScore::kOwnRow : CutOffScore::kCaptured;
    case EndReason::kNoMoves:
      return CutOffScore::kOwnRow;
    case EndReason::kRepetition:
      return rules.repetition_score;
    case EndReason::kPlyLimit:
      return rules.limit_score;
  }
  return CutOffScore::kCaptured;
}

FinalScore final_score(const RuleSet& rules, const Board& board, EndReason reason) {
  const CutOffScore score = remaining_score(rules, reason);
  const int row = row_to_move_seeds(board);
  const int other_row = row_opponent_seeds(board);
  const int own = 2 * board.store_to_move + share_half_seeds(score, row, other_row);
  const int other = 2 * board.store_opponent + share_half_seeds(score, other_row, row);
  return board.to_move == Side::kSouth ? FinalScore{own, other} : FinalScore{other, own};
}

std::string half_seeds_text(int half_seeds) {
  return std::to_string(half_seeds / 2) + (half_seeds % 2 == 0 ? "" : ".5");
}

std::string to_text(const FinalScore& score) {
  return half_seeds_text(score.south_half_seeds) + "-" + half_seeds_text(score.north_half_seeds);
}

}  // namespace awale::env
