#include "training/game_text/board_view.hpp"

#include <cstdio>
#include <cstdlib>

#include "env/final_score.hpp"
#include "env/notation.hpp"
#include "env/rules_text.hpp"

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

// Legal moves if a capture of all seeds were like any other.
env::LegalMask legal_but_for_grand_slams(env::RuleSet rules, const env::Board& board) {
  rules.grand_slam = env::GrandSlam::kCapture;
  return env::legal_moves(rules, board);
}

std::string describe_no_moves(const env::RuleSet& rules, const env::Board& board) {
  const std::string mover = side_name(board.to_move);
  const std::string other = side_name(env::opponent(board.to_move));
  if (env::row_to_move_seeds(board) == 0)
    return mover + "'s row is empty, so " + mover + " cannot move";
  if (legal_but_for_grand_slams(rules, board) == 0)
    return mover + " cannot feed " + other + "'s empty row";
  return "every move that " + mover + " has would take all of " + other + "'s seeds";
}

std::string describe_target(const env::RuleSet& rules, const env::Board& board) {
  const bool mover = board.store_to_move >= rules.target_seeds;
  const int seeds = mover ? board.store_to_move : board.store_opponent;
  return std::string(side_name(mover ? board.to_move : env::opponent(board.to_move))) +
         " has captured " + std::to_string(seeds) + (seeds == 1 ? " seed" : " seeds");
}

// "South 25 + 3 = 28", "South 25".
std::string sum_text(env::Side side, int store, int half_seeds, env::CutOffScore score) {
  std::string text = std::string(side_name(side)) + " " + std::to_string(store);
  if (score == env::CutOffScore::kCaptured) return text;
  return text + " + " + env::half_seeds_text(half_seeds - 2 * store) + " = " +
         env::half_seeds_text(half_seeds);
}

}  // namespace

env::Board named_board(const std::string& text, env::SeedCount seeds) {
  return text == kStart ? env::initial_board() : env::parse_board(text, seeds);
}

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

Illegality why_illegal(const env::RuleSet& rules, const env::Board& board, env::Move move) {
  if (board.pits[move] == 0) return Illegality::kEmptyPit;
  const bool slam = (legal_but_for_grand_slams(rules, board) >> move & 1) != 0;
  return slam ? Illegality::kGrandSlam : Illegality::kMustFeed;
}

const char* to_string(Illegality reason) {
  switch (reason) {
    case Illegality::kEmptyPit:
      return "empty_pit";
    case Illegality::kMustFeed:
      return "must_feed";
    case Illegality::kGrandSlam:
      return "grand_slam";
  }
  return "";
}

const char* describe(Illegality reason) {
  switch (reason) {
    case Illegality::kEmptyPit:
      return "is empty";
    case Illegality::kMustFeed:
      return "does not feed the opponent, whose row is empty";
    case Illegality::kGrandSlam:
      return "would take all the opponent's seeds";
  }
  return "";
}

std::string describe_end(const env::Game& game) {
  const env::RuleSet& rules = game.rules();
  switch (game.outcome().reason) {
    case env::EndReason::kTarget:
      return describe_target(rules, game.board());
    case env::EndReason::kNoMoves:
      return describe_no_moves(rules, game.board());
    case env::EndReason::kRepetition:
      return "the position has occurred for the " + env::ordinal(rules.repetition_occurrence) +
             " time since the last capture";
    case env::EndReason::kPlyLimit:
      return "the limit of " + std::to_string(rules.ply_limit) + " plies is reached";
    case env::EndReason::kNone:
      break;
  }
  return "";
}

std::string describe_count(const env::Game& game) {
  const env::EndReason reason = game.outcome().reason;
  const env::CutOffScore score = env::remaining_score(game.rules(), reason);
  const auto total = env::final_score(game.rules(), game.board(), reason);
  const auto stores = env::final_score(game.rules(), game.board(), env::EndReason::kNone);
  return std::string(env::explain(score)) + ": " +
         sum_text(env::Side::kSouth, stores.south_half_seeds / 2, total.south_half_seeds, score) +
         ", " +
         sum_text(env::Side::kNorth, stores.north_half_seeds / 2, total.north_half_seeds, score);
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
