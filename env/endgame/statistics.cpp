#include "env/endgame/statistics.hpp"

#include <mutex>

#include "env/endgame/parallel.hpp"

namespace awale::env {
namespace {

constexpr std::uint64_t kPiece = 1 << 16;

bool has_empty_pit(std::uint64_t row) {
  for (int pit = 0; pit < kPitsPerSide; ++pit) {
    if ((row >> 8 * pit & 0xff) == 0) return true;
  }
  return false;
}

void add(LayerStatistics& sum, const LayerStatistics& part) {
  for (std::size_t win = 0; win < part.counts.size(); ++win) {
    for (std::size_t loss = 0; loss < part.counts.size(); ++loss)
      sum.counts[win][loss] += part.counts[win][loss];
  }
  sum.exact += part.exact;
  sum.reachable += part.reachable;
  sum.reachable_exact += part.reachable_exact;
}

LayerStatistics count(const EndgameTable& table, int seeds, std::uint64_t begin,
                      std::uint64_t end) {
  LayerStatistics part;
  Rows rows = board_at(begin);
  for (std::uint64_t index = begin; index < end; ++index) {
    const Guarantees guarantees = table.array()[index];
    const bool exact = future_margin(table.cycles(), guarantees, seeds).exact();
    const bool reachable = has_empty_pit(rows.opponent);
    ++part.counts[guarantees.win][guarantees.loss];
    part.exact += exact ? 1 : 0;
    part.reachable += reachable ? 1 : 0;
    part.reachable_exact += exact && reachable ? 1 : 0;
    if (index + 1 < end) advance_in_layer(rows);
  }
  return part;
}

}  // namespace

LayerStatistics layer_statistics(const EndgameTable& table, int seeds, int threads) {
  LayerStatistics sum;
  sum.seeds = seeds;
  sum.boards = layer_size(seeds);
  std::mutex mutex;
  run_in_pieces(threads, sum.boards, kPiece, [&](int, std::uint64_t begin, std::uint64_t end) {
    const std::uint64_t first = layer_begin(seeds);
    const LayerStatistics part = count(table, seeds, first + begin, first + end);
    const std::lock_guard lock(mutex);
    add(sum, part);
  });
  return sum;
}

}  // namespace awale::env
