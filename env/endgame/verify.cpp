#include "env/endgame/verify.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>

#include "env/endgame/parallel.hpp"
#include "env/error.hpp"

namespace awale::env {
namespace {

constexpr std::uint64_t kVerifyPiece = 1 << 14;

}  // namespace

Guarantees from_successors(const EndgameTable& table, const Board& board) {
  const LegalMask legal = legal_moves(table.rules(), board);
  if (legal == 0) return final_guarantees(table.cycles(), to_rows(board));
  Guarantees best = {0, std::numeric_limits<std::uint8_t>::max()};
  for (Move move = 0; move < kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    Board child = board;
    const int captured = play(table.rules(), child, move);
    const auto known = table.guarantees(child);
    AWALE_CHECK(known, "no entry for " << child);
    const Guarantees behind = after_move(table.cycles(), captured, *known);
    best.win = std::max(best.win, behind.win);
    best.loss = std::min(best.loss, behind.loss);
  }
  return best;
}

std::optional<EndgameMismatch> find_mismatch(
    const EndgameTable& table, int threads,
    const std::function<void(std::uint64_t boards)>& report) {
  std::mutex mutex;
  std::uint64_t first = std::numeric_limits<std::uint64_t>::max();
  run_in_pieces(threads, layer_begin(table.seeds() + 1), kVerifyPiece,
                [&](int, std::uint64_t begin, std::uint64_t end) {
                  for (std::uint64_t index = begin; index < end; ++index) {
                    const Board board = to_board(board_at(index));
                    if (from_successors(table, board) == table.array()[index]) continue;
                    const std::lock_guard lock(mutex);
                    first = std::min(first, index);
                    break;
                  }
                  report(end - begin);
                });
  if (first == std::numeric_limits<std::uint64_t>::max()) return std::nullopt;
  const Board board = to_board(board_at(first));
  return EndgameMismatch{board, from_successors(table, board), table.array()[first]};
}

}  // namespace awale::env
