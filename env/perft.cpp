#include "env/perft.hpp"

#include <bit>
#include <utility>

#include "env/error.hpp"
#include "env/game.hpp"

namespace awale::env {
namespace {

// One walk over all move sequences; `path_` is the line that led to the position looked at.
class Counter {
 public:
  Counter(const RuleSet& rules, std::vector<Board> path) : rules_(rules), path_(std::move(path)) {}

  // Adds what lies `depth` plies below `board`.
  void count(const Board& board, int depth, PerftCount& sum) {
    const LegalMask legal = legal_moves(rules_, board);
    const bool over = ends(board, legal);
    if (depth == 0) {
      ++sum.leaves;
      sum.ended_here += over ? 1 : 0;
      return;
    }
    if (over) {
      ++sum.ended_earlier;
      return;
    }
    path_.push_back(board);
    for (LegalMask left = legal; left != 0; left = static_cast<LegalMask>(left & (left - 1)))
      count_move(board, static_cast<Move>(std::countr_zero(left)), depth, sum);
    path_.pop_back();
  }

  // The same below a move on `board`, the last position of the path.
  void count_move(const Board& board, Move move, int depth, PerftCount& sum) {
    Board next = board;
    play(rules_, next, move);
    count(next, depth - 1, sum);
  }

 private:
  // A position from before a capture has other stores, so the whole path serves as the history.
  bool ends(const Board& board, LegalMask legal) const {
    const int ply = static_cast<int>(path_.size());
    const int earlier = ply < kShortestCyclePlies ? 0 : count_occurrences(path_, board);
    return end_reason(rules_, board, legal, earlier + 1, ply) != EndReason::kNone;
  }

  const RuleSet& rules_;
  std::vector<Board> path_;
};

}  // namespace

PerftCount perft(const RuleSet& rules, const Board& board, int depth) {
  AWALE_CHECK(depth >= 1, "depth " << depth);
  PerftCount sum;
  Counter(rules, {}).count(board, depth, sum);
  return sum;
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const RuleSet& rules, const Board& board,
                                                         int depth) {
  AWALE_CHECK(depth >= 1, "depth " << depth);
  const LegalMask legal = Game(rules, board).legal();
  Counter counter(rules, {board});
  std::vector<std::pair<Move, std::uint64_t>> leaves;
  for (Move move = 0; move < kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    PerftCount below;
    counter.count_move(board, move, depth, below);
    leaves.emplace_back(move, below.leaves);
  }
  return leaves;
}

}  // namespace awale::env
