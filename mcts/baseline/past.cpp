#include "mcts/baseline/past.hpp"

#include <bit>

#include "env/error.hpp"

namespace awale::mcts {
namespace {

Row flag_of(int move) {
  return Row{0x80} << (8 * move);
}

// The pit that the mover of `from` has played to reach `to`, its view turned.
int move_between(const env::RuleSet& rules, const env::Board& from, const env::Board& to) {
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (from.pits[move] == 0) continue;
    env::Board next = from;
    env::play(rules, next, move);
    if (next == to) return move;
  }
  AWALE_CHECK(false, "no move leads from " << from << " to " << to);
}

// Flags of the pits that hold more in `row` than in `target`.
Row with_more(Row row, Row target) {
  return ~(((target & kPitBytes) | kFlags) - (row & kPitBytes)) & kFlags;
}

}  // namespace

bool Past::may_return(const Entry& entry, const Rows& rows, int level, int depth) {
  const int mover = level & 1;
  const int plies = depth - ((depth ^ level ^ entry.parity) & 1);
  const Row own = (~entry.played[mover] & kFlags) | with_more(rows.own, entry.rows[mover]);
  if (std::popcount(own) > (plies + 1) / 2) return false;
  const Row other =
      (~entry.played[1 - mover] & kFlags) | with_more(rows.other, entry.rows[1 - mover]);
  return std::popcount(other) <= plies / 2;
}

Past::Range Past::begin(const env::Game& game, int depth) {
  entries_.clear();
  const auto history = game.history();
  const Rows root = packed_rows(game.board());
  std::array<Row, 2> played = {};
  for (std::size_t back = 1; back < history.size(); ++back) {
    const std::size_t i = history.size() - 1 - back;
    const int parity = static_cast<int>(back & 1);
    played[parity] |= flag_of(move_between(game.rules(), history[i], history[i + 1]));
    const Rows rows = packed_rows(history[i]);
    Entry entry{{rows.own, rows.other}, played, parity};
    if (parity != 0) std::swap(entry.rows[0], entry.rows[1]);
    if (may_return(entry, root, 0, depth)) entries_.push_back(entry);
  }
  return {0, entries_.size()};
}

Past::Range Past::descend(Range parent_past, const Rows& parent, int move, const Rows& child,
                          int level, int depth) {
  entries_.resize(parent_past.end);
  const int mover = (level - 1) & 1;
  const auto keep = [&](Entry entry) {
    entry.played[mover] |= flag_of(move);
    if (may_return(entry, child, level, depth)) entries_.push_back(entry);
  };
  for (std::size_t i = parent_past.begin; i < parent_past.end; ++i)
    keep(entries_[i]);
  if (depth + 1 >= env::kShortestCyclePlies) {
    Entry entry{{parent.own, parent.other}, {}, mover};
    if (mover != 0) std::swap(entry.rows[0], entry.rows[1]);
    keep(entry);
  }
  return {parent_past.end, entries_.size()};
}

int Past::occurrences(Range range, const Rows& rows, int level) const {
  const int mover = level & 1;
  int count = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Entry& entry = entries_[i];
    count += entry.parity == mover && entry.rows[mover] == rows.own &&
             entry.rows[1 - mover] == rows.other;
  }
  return count;
}

std::uint64_t Past::digest(Range range, int level) const {
  const int mover = level & 1;
  std::uint64_t sum = 0;
  for (std::size_t i = range.begin; i < range.end; ++i) {
    const Entry& entry = entries_[i];
    // Byte 7 of a row is free: it tells whose turn it was.
    const Row own = entry.rows[mover] | static_cast<Row>(entry.parity != mover) << 56;
    sum += hash(Rows{own, entry.rows[1 - mover]});
  }
  return sum;
}

}  // namespace awale::mcts
