// A transposition table for alpha-beta: what an earlier visit of the same key proved.
//
// A direct-mapped array of fixed size, 16 bytes an entry. Two different nodes share a key with
// probability 2^-64. begin_search() makes everything stored before invisible, so one search never
// depends on another. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "env/board.hpp"

namespace awale::mcts {

enum class Bound : std::uint8_t { kExact, kLower, kUpper };

class TranspositionTable {
 public:
  struct Entry {
    std::uint64_t key = 0;
    std::int16_t score = 0;    // seen from the player to move
    std::uint16_t search = 0;  // 0: empty
    std::uint8_t depth = 0;    // plies below the node that the score rests on
    Bound bound = Bound::kExact;
    env::Move move = 0;  // best or refuting move
  };
  static_assert(sizeof(Entry) == 16);

  // 2^log2_entries entries.
  explicit TranspositionTable(int log2_entries)
      : entries_(std::size_t{1} << log2_entries), mask_(entries_.size() - 1) {}

  void begin_search() {
    if (search_ == std::numeric_limits<std::uint16_t>::max()) {
      entries_.assign(entries_.size(), Entry{});
      search_ = 0;
    }
    ++search_;
  }

  // Null if this search has stored nothing under `key`, or something else in its place since.
  const Entry* find(std::uint64_t key) const {
    const Entry& entry = entries_[key & mask_];
    return entry.search == search_ && entry.key == key ? &entry : nullptr;
  }

  // Keeps the deeper of two different nodes that meet in one place.
  void store(std::uint64_t key, int depth, int score, Bound bound, env::Move move) {
    Entry& entry = entries_[key & mask_];
    if (entry.search == search_ && entry.key != key && entry.depth > depth) return;
    entry = {key,     static_cast<std::int16_t>(score),
             search_, static_cast<std::uint8_t>(depth),
             bound,   move};
  }

 private:
  std::vector<Entry> entries_;
  std::uint64_t mask_;
  std::uint16_t search_ = 1;
};

}  // namespace awale::mcts
