#include "env/game.hpp"

#include <algorithm>
#include <string>

#include "env/error.hpp"
#include "env/notation.hpp"

namespace awale::env {

namespace {

[[noreturn]] void reject_move(const Game& game, LegalMask legal, Move move) {
  const Side side = game.board().to_move;
  std::string problem;
  if (game.over()) {
    problem = std::string("the game is over (") + to_string(game.outcome().reason) + ")";
  } else {
    problem = move < kMoves ? std::string("illegal move ") + move_letter(side, move)
                            : "no such move: " + std::to_string(move);
    problem += ", legal are " + moves_text(side, legal);
  }
  throw InputError(ErrorKind::kPosition, "ply " + std::to_string(game.position().ply + 1) + " at " +
                                             to_text(game.board()) + ": " + problem);
}

// More seeds than 48 would be beyond the tables of `board`.
void check_start(const Board& start) {
  const int total = total_seeds(start);
  if (total <= kSeeds) return;
  throw InputError(ErrorKind::kPosition, "start position " + to_text(start) + ": holds " +
                                             std::to_string(total) + " seeds, expected at most 48");
}

}  // namespace

int count_occurrences(std::span<const Board> history, const Board& board) {
  return static_cast<int>(std::count(history.begin(), history.end(), board));
}

Game::Game(const RuleSet& rules, const Board& start) : rules_(rules) {
  rules_.validate();
  check_start(start);
  position_.board = start;
  history_.push_back(start);
  judge();
}

Outcome Game::outcome() const {
  AWALE_CHECK(over(), "outcome of a game that goes on at " << board());
  const int margin = final_margin_to_move(rules_, board(), reason_);
  return {reason_, board().to_move == Side::kSouth ? margin : -margin};
}

int Game::play(Move move) {
  if (over() || move >= kMoves || (legal_ >> move & 1) == 0) reject_move(*this, legal_, move);
  const int captured = env::play(rules_, position_.board, move);
  ++position_.ply;
  ++position_.quiet_plies;
  if (captured > 0) {
    position_.quiet_plies = 0;
    history_.clear();
  }
  if (rules_.repetition_occurrence == 0) history_.clear();
  position_.repetitions =
      static_cast<std::uint8_t>(std::min(255, count_occurrences(history_, board())));
  history_.push_back(board());
  judge();
  return captured;
}

void Game::judge() {
  legal_ = legal_moves(rules_, board());
  reason_ = end_reason(rules_, board(), legal_, position_.repetitions + 1, position_.ply);
}

Game replay(const RuleSet& rules, const Board& start, std::string_view moves) {
  Game game(rules, start);
  for (const char letter : moves) {
    game.play(parse_move(letter, game.board().to_move, game.position().ply + 1));
  }
  return game;
}

std::string line_text(Game game, std::span<const Move> moves) {
  std::string text;
  for (const Move move : moves) {
    text += move_letter(game.board().to_move, move);
    game.play(move);
  }
  return text;
}

}  // namespace awale::env
