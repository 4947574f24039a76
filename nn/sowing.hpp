// Where the seeds of a pit fall, for tables that are made at compile time: nothing here is code in
// the program.
#pragma once

#include <bit>
#include <cstdint>

#include "env/board.hpp"

namespace awale::nn {

static_assert(std::endian::native == std::endian::little, "pit i of a row is byte i of a word");

struct Sowing {
  std::uint64_t opponent_row = 0;  // seeds added to each pit of the opponent's row, a byte a pit
  int landing_pit = 0;  // of the last seed, 0..11 as in Board; the origin if there is none
};

consteval Sowing make_sowing(int origin, int seeds) {
  Sowing sowing{0, origin};
  int& pit = sowing.landing_pit;
  for (int left = seeds; left > 0; --left) {
    pit = (pit + 1) % env::kPits;
    if (pit == origin) pit = (pit + 1) % env::kPits;
    if (pit >= env::kPitsPerSide) {
      sowing.opponent_row += std::uint64_t{1} << (8 * (pit - env::kPitsPerSide));
    }
  }
  return sowing;
}

// Brings the byte of a landing pit of the opponent's row to the top of a word.
consteval int landing_shift(int landing_pit) {
  return 8 * (7 - (landing_pit - env::kPitsPerSide));
}

}  // namespace awale::nn
