#include "env/reference_check.hpp"

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/notation.hpp"

namespace awale::env {
namespace {

std::string moves_or_none(Side side, LegalMask moves) {
  return moves == 0 ? "none" : moves_text(side, moves);
}

void compare(std::vector<Mismatch>& mismatches, const std::string& what,
             const std::string& expected, const std::string& found) {
  if (expected != found) mismatches.push_back({what, expected, found});
}

void compare_counts(std::vector<Mismatch>& mismatches, const std::string& what, int depth,
                    std::uint64_t expected, std::uint64_t found) {
  const std::string where = " at depth " + std::to_string(depth);
  compare(mismatches, what, std::to_string(expected) + where, std::to_string(found) + where);
}

// The game has been played as recorded.
std::vector<Mismatch> check_end(const Game& game, const RecordedGame& recorded) {
  const Board& board = game.board();
  const EndReason end = game.over() ? game.outcome().reason : EndReason::kNone;
  std::vector<Mismatch> mismatches;
  compare(mismatches, "how it ended", to_string(recorded.end), to_string(end));
  compare(mismatches, "captured", to_text(recorded.captured),
          to_text(final_score(game.rules(), board, EndReason::kNone)));
  compare(mismatches, "final score", to_text(recorded.score),
          to_text(final_score(game.rules(), board, end)));
  return mismatches;
}

}  // namespace

std::vector<Mismatch> check(const RuleSet& rules, const RecordedPly& recorded) {
  std::vector<Mismatch> mismatches;
  Board board = recorded.board;
  const Side side = board.to_move;
  const LegalMask legal = legal_moves(rules, board);
  if (legal != recorded.legal) {
    mismatches.push_back(
        {"legal moves", moves_or_none(side, recorded.legal), moves_or_none(side, legal)});
  }
  if ((legal >> recorded.move & 1) == 0) {
    mismatches.push_back({"move", std::string(1, move_letter(side, recorded.move)), "illegal"});
    return mismatches;
  }
  play(rules, board, recorded.move);
  if (board != recorded.next) {
    mismatches.push_back({"next position", to_text(recorded.next), to_text(board)});
  }
  return mismatches;
}

std::vector<Mismatch> check(const RuleSet& rules, const RecordedGame& recorded) {
  try {
    return check_end(replay(rules, initial_board(), recorded.moves), recorded);
  } catch (const InputError& error) {
    return {{"moves", std::to_string(recorded.moves.size()) + " legal plies", error.what()}};
  }
}

std::vector<Mismatch> check(const RuleSet& rules, const RecordedPerft& recorded) {
  std::vector<Mismatch> mismatches;
  for (std::size_t i = 0; i < recorded.counts.size(); ++i) {
    const int depth = static_cast<int>(i) + 1;
    const PerftCount& expected = recorded.counts[i];
    const PerftCount found = perft(rules, recorded.board, depth);
    compare_counts(mismatches, "leaves", depth, expected.leaves, found.leaves);
    compare_counts(mismatches, "ended here", depth, expected.ended_here, found.ended_here);
    compare_counts(mismatches, "ended earlier", depth, expected.ended_earlier, found.ended_earlier);
  }
  return mismatches;
}

}  // namespace awale::env
