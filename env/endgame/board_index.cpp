#include "env/endgame/board_index.hpp"

#include <algorithm>

namespace awale::env {

Rows board_at(std::uint64_t index) {
  int sums[kPits + 1] = {};  // [j]: the seeds in the first j pits
  for (int j = kPits; j > 0; --j) {
    const auto& terms = detail::kIndexTerms[j - 1];
    // The largest number of seeds whose term does not exceed the index.
    const auto* const above = std::upper_bound(terms.begin(), terms.end() - 1, index);
    sums[j] = static_cast<int>(above - terms.begin()) - 1;
    index -= terms[sums[j]];
  }
  Rows rows;
  for (int pit = 0; pit < kPits; ++pit) {
    const auto seeds = static_cast<std::uint64_t>(sums[pit + 1] - sums[pit]);
    if (pit < kPitsPerSide) {
      rows.to_move |= seeds << 8 * pit;
    } else {
      rows.opponent |= seeds << 8 * (pit - kPitsPerSide);
    }
  }
  return rows;
}

void advance_in_layer(Rows& rows) {
  // The first pit behind pit 0 that holds a seed gives one to the pit before it, and all that
  // lies in pit 0 goes there too.
  const std::uint64_t first = rows.to_move & 0xff;
  const std::uint64_t others = rows.to_move >> 8;
  rows.to_move -= first;
  if (others != 0) {
    const int shift = (std::countr_zero(others) / 8 + 1) * 8;
    rows.to_move -= std::uint64_t{1} << shift;
    rows.to_move += (first + 1) << (shift - 8);
    return;
  }
  const int shift = std::countr_zero(rows.opponent) / 8 * 8;
  rows.opponent -= std::uint64_t{1} << shift;
  if (shift == 0) {
    rows.to_move += (first + 1) << 40;
  } else {
    rows.opponent += (first + 1) << (shift - 8);
  }
}

}  // namespace awale::env
