// Every board of up to kMaxEndgameSeeds seeds as a number, without gaps: the order of an endgame
// table.
//
// The combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3): a board is
// the set of its twelve borders among seeds and borders in a row, and its index is the sum over
// j = 1..12 of C(seeds in the first j pits + j - 1, j). The last term counts the boards with fewer
// seeds, so the boards with n seeds, a *layer*, are neighbours and layers follow one another.
//
// Pure functions, safe from any thread.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "env/board.hpp"

namespace awale::env {

// What fits five bits. A table of so many seeds would hold more than 10^10 boards.
inline constexpr int kMaxEndgameSeeds = 31;

// The pits of both players without stores: six bytes a row, the rest zero, in sowing direction.
struct Rows {
  std::uint64_t to_move = 0;
  std::uint64_t opponent = 0;
  friend bool operator==(const Rows&, const Rows&) = default;
};

inline constexpr int row_seeds(std::uint64_t row) {
  return static_cast<int>(row * 0x0101010101010101 >> 56);
}

inline Rows to_rows(const Board& board) {
  static_assert(std::endian::native == std::endian::little);
  constexpr std::uint64_t kRow = 0xffff'ffff'ffff;
  Rows rows;
  std::memcpy(&rows.to_move, board.pits.data(), 8);
  std::memcpy(&rows.opponent, board.pits.data() + kPitsPerSide, 8);  // with the stores behind
  return {rows.to_move & kRow, rows.opponent & kRow};
}

// South to move, empty stores.
inline Board to_board(const Rows& rows) {
  Board board;
  std::memcpy(board.pits.data(), &rows.to_move, kPitsPerSide);
  std::memcpy(board.pits.data() + kPitsPerSide, &rows.opponent, kPitsPerSide);
  return board;
}

// The same in one word, five bits a pit.
using PackedRows = std::uint64_t;

namespace detail {

// Six bytes to six times five bits and back, in pairs: bytes to ten bits, these to twenty, to
// thirty.
inline constexpr std::uint64_t pack_row(std::uint64_t row) {
  row = (row & 0x00ff'00ff'00ff) | (row & 0xff00'ff00'ff00) >> 3;
  return (row & 0x3ff) | (row >> 6 & 0xffc00) | (row >> 12 & 0x3ff00000);
}
inline constexpr std::uint64_t unpack_row(std::uint64_t row) {
  row = (row & 0x3ff) | (row & 0xffc00) << 6 | (row & 0x3ff00000) << 12;
  return (row & 0x001f'001f'001f) | (row & 0x03e0'03e0'03e0) << 3;
}

}  // namespace detail

inline constexpr PackedRows pack(const Rows& rows) {
  return detail::pack_row(rows.to_move) | detail::pack_row(rows.opponent) << 30;
}
inline constexpr Rows unpack(PackedRows rows) {
  return {detail::unpack_row(rows & 0x3fffffff), detail::unpack_row(rows >> 30)};
}

namespace detail {

// [j][s] = C(s + j, j + 1): the boards of up to s - 1 seeds in j + 1 pits.
using IndexTerms = std::array<std::array<std::uint64_t, kMaxEndgameSeeds + 2>, kPits>;

constexpr IndexTerms make_index_terms() {
  IndexTerms terms = {};
  for (int j = 0; j < kPits; ++j) {
    for (int s = 1; s < kMaxEndgameSeeds + 2; ++s) {
      terms[j][s] = terms[j][s - 1] + (j == 0 ? 1 : terms[j - 1][s]);
    }
  }
  return terms;
}

inline constexpr IndexTerms kIndexTerms = make_index_terms();

}  // namespace detail

// The number of boards with fewer than `seeds` seeds: where the layer of `seeds` begins.
// `seeds` in 0..kMaxEndgameSeeds + 1.
inline constexpr std::uint64_t layer_begin(int seeds) {
  return detail::kIndexTerms[kPits - 1][seeds];
}

// The number of boards with exactly `seeds` seeds, C(seeds + 11, 11).
inline constexpr std::uint64_t layer_size(int seeds) {
  return layer_begin(seeds + 1) - layer_begin(seeds);
}

// The index of a board with at most kMaxEndgameSeeds seeds.
inline std::uint64_t board_index(const Rows& rows) {
  // Byte i: the seeds of the pits 0..i. No sum exceeds a byte.
  constexpr std::uint64_t kSums = 0x0000'0101'0101'0101;
  const std::uint64_t first = rows.to_move * kSums;
  const std::uint64_t second = rows.opponent * kSums + (first >> 40 & 0xff) * kSums;
  std::uint64_t index = 0;
  for (int pit = 0; pit < kPitsPerSide; ++pit) {
    index += detail::kIndexTerms[pit][first >> 8 * pit & 0xff];
    index += detail::kIndexTerms[kPitsPerSide + pit][second >> 8 * pit & 0xff];
  }
  return index;
}

// The inverse. `index` < layer_begin(kMaxEndgameSeeds + 1).
Rows board_at(std::uint64_t index);

// The board after `rows` in its layer; `rows` must not be the last, which has all seeds in pit 0.
void advance_in_layer(Rows& rows);

}  // namespace awale::env
