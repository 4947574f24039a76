#include "tests/mcts/small_boards.hpp"

#include <algorithm>
#include <numeric>

namespace awale::test {
namespace {

void fill(env::Board& board, int pit, int seeds, std::vector<env::Board>& boards) {
  if (pit == env::kPits - 1) {
    board.pits[pit] = static_cast<std::uint8_t>(seeds);
    boards.push_back(board);
    return;
  }
  for (int here = 0; here <= seeds; ++here) {
    board.pits[pit] = static_cast<std::uint8_t>(here);
    fill(board, pit + 1, seeds - here, boards);
  }
}

}  // namespace

std::vector<env::Game> small_games(const env::RuleSet& rules, int seeds) {
  const int early = rules.target_seeds > 0 ? 25 - rules.target_seeds : 0;
  env::Board board;
  board.store_to_move = static_cast<std::uint8_t>((env::kSeeds - seeds) / 2 - early);
  board.store_opponent = static_cast<std::uint8_t>((env::kSeeds - seeds + 1) / 2 - early);
  std::vector<env::Board> boards;
  fill(board, 0, seeds, boards);
  std::vector<env::Game> games;
  for (env::Board& start : boards) {
    start.to_move = games.size() % 2 == 0 ? env::Side::kSouth : env::Side::kNorth;
    env::Game game(rules, start);
    if (!game.over()) games.push_back(std::move(game));
  }
  return games;
}

std::optional<bool> Prover::at_least(const env::Game& game, int margin_seeds) {
  if (game.over()) {
    const int south = game.outcome().margin_south_seeds;
    return (game.board().to_move == env::Side::kSouth ? south : -south) >= margin_seeds;
  }
  rules_ = &game.rules();
  positions_ = 0;
  for (int depth = 1;; ++depth) {
    history_.assign(game.history().begin(), game.history().end());
    const Answer answer =
        search(game.board(), game.legal(), game.position().ply, margin_seeds, depth);
    if (positions_ > most_positions_) return std::nullopt;
    if (answer != Answer::kTooDeep) return answer == Answer::kYes;
  }
}

std::optional<int> Prover::margin(const env::Game& game) {
  const auto& board = game.board();
  const int rest = std::accumulate(board.pits.begin(), board.pits.end(), 0);
  int low = board.store_to_move - board.store_opponent - rest;
  int high = low + 2 * rest;
  while (low < high) {
    const int middle = low + (high - low + 1) / 2;
    const auto answer = at_least(game, middle);
    if (!answer) return std::nullopt;
    (*answer ? low : high) = *answer ? middle : middle - 1;
  }
  return low;
}

Prover::Answer Prover::search(const env::Board& board, env::LegalMask legal, int ply, int margin,
                              int depth) {
  const int stores = board.store_to_move - board.store_opponent;
  const int rest = std::accumulate(board.pits.begin(), board.pits.end(), 0);
  if (stores - rest >= margin) return Answer::kYes;
  if (stores + rest < margin) return Answer::kNo;
  if (depth == 0 || ++positions_ > most_positions_) return Answer::kTooDeep;
  Answer best = Answer::kNo;
  for (env::Move move = 0; move < env::kMoves && best != Answer::kYes; ++move) {
    if ((legal >> move & 1) == 0) continue;
    const Answer answer = play(board, move, ply, margin, depth);
    if (answer != Answer::kNo) best = answer;
    if (answer == Answer::kYes) return answer;
  }
  return best;
}

// The answer for the player who makes the move.
Prover::Answer Prover::play(const env::Board& board, env::Move move, int ply, int margin,
                            int depth) {
  env::Board next = board;
  const bool captured = env::play(*rules_, next, move) > 0;
  std::vector<env::Board> before;
  if (captured) before.swap(history_);
  history_.push_back(next);
  const auto legal = env::legal_moves(*rules_, next);
  const int occurrences =
      rules_->repetition_occurrence > 0 ? env::count_occurrences(history_, next) : 1;
  const auto reason = env::end_reason(*rules_, next, legal, occurrences, ply + 1);
  Answer answer = Answer::kTooDeep;
  if (reason != env::EndReason::kNone) {
    const int mine = -env::final_margin_to_move(*rules_, next, reason);
    answer = mine >= margin ? Answer::kYes : Answer::kNo;
  } else {
    // He gets `margin` if the other one cannot get more than -margin.
    const Answer other = search(next, legal, ply + 1, 1 - margin, depth - 1);
    if (other != Answer::kTooDeep) answer = other == Answer::kYes ? Answer::kNo : Answer::kYes;
  }
  history_.pop_back();
  if (captured) history_.swap(before);
  return answer;
}

}  // namespace awale::test
