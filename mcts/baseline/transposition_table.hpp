// A transposition table for alpha-beta: what an earlier visit of the same key proved.
//
// Buckets of four entries that share a cache line; the shallowest makes room. An entry holds both
// bounds of the score, as null windows prove one after the other. Two different nodes share a key
// with probability 2^-64. begin_search() makes everything stored before invisible, so one search
// never depends on another. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "env/board.hpp"

namespace awale::mcts {

class TranspositionTable {
 public:
  static constexpr int kNoBound = 32000;  // beyond every score

  struct Entry {
    std::uint64_t key = 0;
    std::int16_t lower = -kNoBound;  // seen from the player to move: lower <= score <= upper
    std::int16_t upper = kNoBound;
    std::uint16_t search = 0;  // 0: empty
    std::uint8_t depth = 0;    // plies below the node that the score rests on
    env::Move move = 0;        // best or refuting move
  };
  static_assert(sizeof(Entry) == 16);

  // 2^log2_entries entries, at least one bucket.
  explicit TranspositionTable(int log2_entries)
      : buckets_(((std::size_t{1} << log2_entries) + kEntries - 1) / kEntries),
        mask_(buckets_.size() - 1) {}

  void begin_search() {
    if (search_ == std::numeric_limits<std::uint16_t>::max()) {
      buckets_.assign(buckets_.size(), Bucket{});
      search_ = 0;
    }
    ++search_;
  }

  void prefetch(std::uint64_t key) const { __builtin_prefetch(&bucket(key)); }

  // Null if this search has stored nothing under `key`, or something else in its place since.
  const Entry* find(std::uint64_t key) const {
    for (const Entry& entry : bucket(key).entries) {
      if (entry.key == key && entry.search == search_) return &entry;
    }
    return nullptr;
  }

  // Adds to the bounds that are known at the same depth; forgets those of another.
  void store(std::uint64_t key, int depth, int lower, int upper, env::Move move) {
    Entry& entry = place(key);
    if (entry.key != key || entry.search != search_ || entry.depth != depth) {
      entry = {key, -kNoBound, kNoBound, search_, static_cast<std::uint8_t>(depth), move};
    }
    if (lower > entry.lower) entry.lower = static_cast<std::int16_t>(lower);
    if (upper < entry.upper) entry.upper = static_cast<std::int16_t>(upper);
    entry.move = move;
  }

 private:
  static constexpr std::size_t kEntries = 4;

  struct alignas(64) Bucket {
    std::array<Entry, kEntries> entries;
  };

  const Bucket& bucket(std::uint64_t key) const { return buckets_[key & mask_]; }

  // The entry of `key`, or else the one to give up: the first that is not of this search, or of the
  // shallowest the first.
  Entry& place(std::uint64_t key) {
    Bucket& bucket = buckets_[key & mask_];
    Entry* shallowest = nullptr;
    for (Entry& entry : bucket.entries) {
      if (entry.search != search_) return entry;  // entries fill up in their order
      if (entry.key == key) return entry;
      if (shallowest == nullptr || entry.depth < shallowest->depth) shallowest = &entry;
    }
    return *shallowest;
  }

  std::vector<Bucket> buckets_;
  std::uint64_t mask_;
  std::uint16_t search_ = 1;
};

}  // namespace awale::mcts
