#include "env/perft.hpp"

#include "env/error.hpp"
#include "env/game.hpp"

namespace awale::env {
namespace {

// One walk over all move sequences; `path_` is the line being looked at.
class Counter {
 public:
  Counter(const RuleSet& rules, const Board& start) : rules_(rules), path_{start} {}

  // Counts below the last position of the path.
  PerftCount count(int depth) {
    const LegalMask legal = legal_moves(rules_, path_.back());
    const bool over = ends(legal);
    if (depth == 0) return {1, over ? 1U : 0U, 0};
    if (over) return {0, 0, 1};
    PerftCount sum;
    for (Move move = 0; move < kMoves; ++move) {
      if ((legal >> move & 1) == 0) continue;
      const PerftCount below = count_move(move, depth);
      sum.leaves += below.leaves;
      sum.ended_here += below.ended_here;
      sum.ended_earlier += below.ended_earlier;
    }
    return sum;
  }

  PerftCount count_move(Move move, int depth) {
    Board board = path_.back();
    play(rules_, board, move);
    path_.push_back(board);
    const PerftCount below = count(depth - 1);
    path_.pop_back();
    return below;
  }

 private:
  // A position from before a capture has other stores, so the whole path serves as the history.
  bool ends(LegalMask legal) const {
    const int occurrences = count_occurrences(path_, path_.back());
    const int ply = static_cast<int>(path_.size()) - 1;
    return end_reason(rules_, path_.back(), legal, occurrences, ply) != EndReason::kNone;
  }

  const RuleSet& rules_;
  std::vector<Board> path_;
};

}  // namespace

PerftCount perft(const RuleSet& rules, const Board& board, int depth) {
  AWALE_CHECK(depth >= 1, "depth " << depth);
  return Counter(rules, board).count(depth);
}

std::vector<std::pair<Move, std::uint64_t>> perft_divide(const RuleSet& rules, const Board& board,
                                                         int depth) {
  AWALE_CHECK(depth >= 1, "depth " << depth);
  const LegalMask legal = Game(rules, board).legal();
  Counter counter(rules, board);
  std::vector<std::pair<Move, std::uint64_t>> leaves;
  for (Move move = 0; move < kMoves; ++move) {
    if ((legal >> move & 1) == 0) continue;
    leaves.emplace_back(move, counter.count_move(move, depth).leaves);
  }
  return leaves;
}

}  // namespace awale::env
