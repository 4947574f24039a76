#include "mcts/baseline/rows.hpp"

#include <cstring>

namespace awale::mcts {
namespace {

static_assert(std::endian::native == std::endian::little);

constexpr auto make_sowing() {
  std::array<std::array<Sowing, kSowingSeeds>, env::kMoves> table = {};
  for (int move = 0; move < env::kMoves; ++move) {
    for (int seeds = 1; seeds <= env::kSeeds; ++seeds) {
      Sowing& sowing = table[move][seeds];
      int pit = move;
      for (int left = seeds; left > 0; --left) {
        pit = (pit + 1) % env::kPits;
        if (pit == move) pit = (pit + 1) % env::kPits;  // skipped on every lap
        Row& row = pit < env::kPitsPerSide ? sowing.own : sowing.other;
        row += Row{1} << (8 * (pit % env::kPitsPerSide));
      }
      sowing.own -= static_cast<Row>(seeds) << (8 * move);
      if (pit >= env::kPitsPerSide) sowing.other |= Row{0x80} << (8 * (pit - env::kPitsPerSide));
    }
  }
  return table;
}

constexpr auto make_sowing_other() {
  constexpr auto kBoth = make_sowing();
  std::array<std::array<Row, kSowingSeeds>, env::kMoves> table = {};
  for (int move = 0; move < env::kMoves; ++move) {
    for (int seeds = 0; seeds < kSowingSeeds; ++seeds)
      table[move][seeds] = kBoth[move][seeds].other;
  }
  return table;
}

}  // namespace

alignas(64) constexpr std::array<std::array<Sowing, kSowingSeeds>, env::kMoves> kSowing =
    make_sowing();
alignas(64) constexpr std::array<std::array<Row, kSowingSeeds>, env::kMoves> kSowingOther =
    make_sowing_other();

Rows packed_rows(const env::Board& board) {
  Rows rows;
  std::memcpy(&rows.own, board.pits.data(), env::kPitsPerSide);
  std::memcpy(&rows.other, board.pits.data() + env::kPitsPerSide, env::kPitsPerSide);
  rows.own |= static_cast<Row>(board.store_to_move) << kRowStoreShift;
  rows.other |= static_cast<Row>(board.store_opponent) << kRowStoreShift;
  return rows;
}

env::Board to_board(const Rows& rows, env::Side to_move) {
  env::Board board;
  std::memcpy(board.pits.data(), &rows.own, env::kPitsPerSide);
  std::memcpy(board.pits.data() + env::kPitsPerSide, &rows.other, env::kPitsPerSide);
  board.store_to_move = static_cast<std::uint8_t>(store_of(rows.own));
  board.store_opponent = static_cast<std::uint8_t>(store_of(rows.other));
  board.to_move = to_move;
  return board;
}

}  // namespace awale::mcts
