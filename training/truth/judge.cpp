#include "training/truth/judge.hpp"

#include <algorithm>

namespace awale::training {
namespace {

int sign(int number) {
  return (number > 0) - (number < 0);
}

bool is_legal(env::LegalMask legal, env::Move move) {
  return (legal >> move & 1) != 0;
}

int pit_seeds(const env::Board& board) {
  return env::row_to_move_seeds(board) + env::row_opponent_seeds(board);
}

// Where it leads is covered: a move adds no seeds to the pits.
MoveTruth judge_move(const env::EndgameTable& table, const env::RuleSet& rules, env::Board board,
                     env::Move move) {
  const int captured = env::play(rules, board, move);
  const env::Guarantees guarantees = *table.guarantees(board);
  const env::FutureMargin next = env::future_margin(table.cycles(), guarantees, pit_seeds(board));
  MoveTruth truth;
  truth.future = {captured - next.high, captured - next.low};
  const env::LegalMask legal = env::legal_moves(rules, board);
  const auto reason = env::end_reason(rules, board, legal, 1, kGradedPly + 1);
  if (reason == env::EndReason::kNone) {
    const auto margin = env::final_margin_bounds(rules, board, table.cycles(), guarantees);
    truth.at_end = {-margin.high, -margin.low};
    return truth;
  }
  const int margin = -env::final_margin_to_move(rules, board, reason);
  truth.at_end = {margin, margin};
  truth.ends_game = true;
  truth.wins_by_target = reason == env::EndReason::kTarget && margin > 0;
  return truth;
}

}  // namespace

std::optional<int> known_result(const env::FinalMargin& margin) {
  if (sign(margin.low) != sign(margin.high)) return std::nullopt;
  return sign(margin.low);
}

std::optional<BoardTruth> judge(const env::EndgameTable& table, const env::RuleSet& rules,
                                const env::Board& board) {
  BoardTruth truth;
  truth.legal = env::legal_moves(rules, board);
  if (!table.covers(board) ||
      env::end_reason(rules, board, truth.legal, 1, kGradedPly) != env::EndReason::kNone) {
    return std::nullopt;
  }
  truth.future = *table.probe(board);
  truth.at_end = *env::final_margin_bounds(table, rules, board);
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (is_legal(truth.legal, move)) truth.moves[move] = judge_move(table, rules, board, move);
  }
  return truth;
}

ResultChange result_change(const BoardTruth& truth, env::Move move) {
  const env::FinalMargin& after = truth.moves.at(move).at_end;
  const int before = sign(truth.at_end.low);
  if (sign(after.high) < before) return ResultChange::kLost;
  return sign(after.low) >= before ? ResultChange::kKept : ResultChange::kUnknown;
}

bool result_at_stake(const BoardTruth& truth) {
  if (known_result(truth.at_end).value_or(-1) < 0) return false;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (is_legal(truth.legal, move) && result_change(truth, move) == ResultChange::kLost) {
      return true;
    }
  }
  return false;
}

int seeds_given_away(const BoardTruth& truth, env::Move move) {
  const MoveTruth& after = truth.moves.at(move);
  return after.wins_by_target ? 0 : std::max(0, truth.future.low - after.future.high);
}

bool exact_loss(const BoardTruth& truth, env::Move move) {
  const MoveTruth& after = truth.moves.at(move);
  return after.wins_by_target || (truth.future.exact() && after.future.exact());
}

env::LegalMask best_moves(const BoardTruth& truth) {
  env::LegalMask best = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (is_legal(truth.legal, move) && seeds_given_away(truth, move) == 0) {
      best = static_cast<env::LegalMask>(best | 1 << move);
    }
  }
  return best;
}

}  // namespace awale::training
