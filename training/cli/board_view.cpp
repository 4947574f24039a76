#include "training/cli/board_view.hpp"

#include <cstdio>
#include <cstdlib>

#include "env/notation.hpp"

namespace awale::training {
namespace {

struct Row {
  env::Side side;
  const std::uint8_t* pits;
  int store;
};

std::string number(int value) {
  char text[16];
  std::snprintf(text, sizeof(text), "%4d", value);
  return text;
}

// Letters or seeds of a row from left to right; North's pits run from right to left.
int column_pit(env::Side side, int column) {
  return side == env::Side::kSouth ? column : env::kPitsPerSide - 1 - column;
}

std::string letters(env::Side side) {
  std::string line = "         ";
  for (int column = 0; column < env::kPitsPerSide; ++column) {
    line += "   ";
    line += env::move_letter(side, static_cast<env::Move>(column_pit(side, column)));
  }
  return line + "\n";
}

std::string seeds(const Row& row, bool to_move) {
  std::string line = std::string(to_move ? "> " : "  ") + side_name(row.side) + "  ";
  for (int column = 0; column < env::kPitsPerSide; ++column) {
    line += number(row.pits[column_pit(row.side, column)]);
  }
  return line + "   store" + number(row.store) + "\n";
}

}  // namespace

std::string draw(const env::Board& board) {
  const Row own = {board.to_move, board.pits.data(), board.store_to_move};
  const Row other = {env::opponent(board.to_move), board.pits.data() + env::kPitsPerSide,
                     board.store_opponent};
  const bool south_moves = board.to_move == env::Side::kSouth;
  return letters(env::Side::kNorth) + seeds(south_moves ? other : own, !south_moves) +
         seeds(south_moves ? own : other, south_moves) + letters(env::Side::kSouth);
}

const char* side_name(env::Side side) {
  return side == env::Side::kSouth ? "South" : "North";
}

char pit_letter(env::Side to_move, int pit) {
  const env::Side side = pit < env::kPitsPerSide ? to_move : env::opponent(to_move);
  return env::move_letter(side, static_cast<env::Move>(pit % env::kPitsPerSide));
}

std::string describe_move(const env::RuleSet& rules, const env::Board& board, env::Move move) {
  const auto preview = env::preview(rules, board, move);
  std::string text = "last seed on ";
  text += pit_letter(board.to_move, preview.landing_pit);
  if (preview.cancelled_grand_slam) return text + ", takes nothing (grand slam)";
  if (preview.captured_seeds > 0) text += ", takes " + std::to_string(preview.captured_seeds);
  return text;
}

std::string describe_outcome(const env::Outcome& outcome) {
  const std::string reason = std::string(" (") + env::to_string(outcome.reason) + ")";
  const int margin = outcome.margin_south_seeds;
  if (margin == 0) return "draw" + reason;
  const auto winner = margin > 0 ? env::Side::kSouth : env::Side::kNorth;
  const int seeds = std::abs(margin);
  return std::string(side_name(winner)) + " wins by " + std::to_string(seeds) +
         (seeds == 1 ? " seed" : " seeds") + reason;
}

}  // namespace awale::training
