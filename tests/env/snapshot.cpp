#include "tests/env/snapshot.hpp"

#include <bit>

#include "env/notation.hpp"

namespace awale::test {
namespace {

std::string line(const std::string& text, int ply, const std::string& legal,
                 const std::string& end) {
  return text + " ply " + std::to_string(ply) + " legal " + legal + " end " + end;
}

std::string end_text(const env::Outcome& outcome) {
  return std::string(to_string(outcome.reason)) + " " + std::to_string(outcome.margin_south_seeds);
}

std::string preview_text(char letter, int landing_pit, int captured_seeds, bool cancelled) {
  return std::string(1, letter) + " to " + std::to_string(landing_pit) + " takes " +
         std::to_string(captured_seeds) + (cancelled ? " cancelled; " : "; ");
}

}  // namespace

std::string letters(env::Side side, env::LegalMask moves) {
  std::string text;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((moves >> move & 1) != 0) text += env::move_letter(side, move);
  }
  return text;
}

std::string snapshot(const naive::Game& game) {
  const bool over = game.reason() != "none";
  return line(game.text(), game.ply(), game.legal(),
              over ? game.reason() + " " + std::to_string(game.margin_south()) : "none");
}

std::string snapshot(const env::Game& game) {
  return line(to_text(game.board()), game.position().ply,
              letters(game.board().to_move, game.legal()),
              game.over() ? end_text(game.outcome()) : "none");
}

std::string snapshot(const env::BatchEnv& batch, int game) {
  const env::Board& board = batch.position(game).board;
  return line(to_text(board), batch.position(game).ply,
              letters(board.to_move, batch.legal_masks()[game]),
              batch.over(game) ? end_text(batch.outcome(game)) : "none");
}

std::string previews(const naive::Game& game) {
  std::string text;
  for (const char letter : game.own_pits()) {
    const naive::Effect effect = game.effect(letter);
    text += preview_text(letter, effect.landing_pit, effect.captured_seeds,
                         effect.cancelled_grand_slam);
  }
  return text;
}

std::string previews(const env::RuleSet& rules, const env::Board& board) {
  const int first_pit = board.to_move == env::Side::kSouth ? 0 : env::kPitsPerSide;
  std::string text;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (board.pits[move] == 0) continue;
    const env::MovePreview preview = env::preview(rules, board, move);
    text += preview_text(env::move_letter(board.to_move, move),
                         (preview.landing_pit + first_pit) % env::kPits, preview.captured_seeds,
                         preview.cancelled_grand_slam);
  }
  return text;
}

env::Move nth_move(env::LegalMask moves, unsigned rank) {
  for (; rank > 0; --rank)
    moves = static_cast<env::LegalMask>(moves & (moves - 1));
  return static_cast<env::Move>(std::countr_zero(moves));
}

}  // namespace awale::test
