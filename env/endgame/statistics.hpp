// How the values of a table are distributed, a layer at a time.
#pragma once

#include <array>
#include <cstdint>

#include "env/endgame/table.hpp"

namespace awale::env {

// The boards of one layer.
struct LayerStatistics {
  int seeds = 0;
  std::uint64_t boards = 0;
  // Boards by what is guaranteed: [win][loss].
  std::array<std::array<std::uint64_t, kMaxEndgameSeeds + 1>, kMaxEndgameSeeds + 1> counts = {};

  // Boards whose future margin is known: all where a circle is worth nothing.
  std::uint64_t exact = 0;
  // The same among the boards that a move can lead to: who has moved has left a pit empty.
  std::uint64_t reachable = 0;
  std::uint64_t reachable_exact = 0;
};

// `seeds` in 0..table.seeds().
LayerStatistics layer_statistics(const EndgameTable& table, int seeds, int threads);

}  // namespace awale::env
