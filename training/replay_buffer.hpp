// The newest training rows, in memory: what the learner draws its batches from.
//
// A ring of rows, reserved once: 80 bytes a row (1 million rows: 80 MB), never more however long a
// run lasts. Positions, not features: the network encodes them. Rows enter in the order of their
// games, and the oldest rows make room for new ones. Nothing here is saved: the same shards added
// in the same order give the same buffer. One thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/random.hpp"
#include "training/targets.hpp"

namespace awale::training {

class ReplayBuffer {
 public:
  // 1 row at least.
  explicit ReplayBuffer(std::size_t capacity_rows);

  std::size_t capacity() const { return capacity_; }
  std::size_t size() const { return rows_.size(); }  // rows

  // Appends rows.
  void add(std::span<const TrainingRow> rows);

  // The newest `count` (at most size()), the oldest first; valid until the next add().
  std::vector<const TrainingRow*> newest(std::size_t count) const;

  // Fills batch [B] with rows drawn from the newest `window_rows` (1..size()), the oldest first;
  // valid until the next add(). Stratified: one row from each of B equal parts of the window, so a
  // batch has rows of many games and, while B <= window_rows, none more than twice; every row is as
  // likely as any other. The same window and stream give the same batch.
  void sample(std::uint64_t window_rows, env::RandomStream& stream,
              std::span<const TrainingRow*> batch) const;

 private:
  std::size_t capacity_;
  std::vector<TrainingRow> rows_;  // a ring once full
  std::size_t oldest_ = 0;         // its index in rows_
};

}  // namespace awale::training
