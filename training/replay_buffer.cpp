#include "training/replay_buffer.hpp"

#include <algorithm>

#include "env/error.hpp"

namespace awale::training {

static_assert(sizeof(TrainingRow) == 80, "documented in replay_buffer.hpp");

ReplayBuffer::ReplayBuffer(std::size_t capacity_rows) : capacity_(capacity_rows) {
  AWALE_CHECK(capacity_ > 0, "a replay buffer without room");
  rows_.reserve(capacity_);
}

void ReplayBuffer::add(std::span<const TrainingRow> rows) {
  for (const auto& row : rows) {
    if (rows_.size() < capacity_) {
      rows_.push_back(row);
    } else {
      rows_[oldest_] = row;
      oldest_ = (oldest_ + 1) % capacity_;
    }
  }
}

std::vector<const TrainingRow*> ReplayBuffer::newest(std::size_t count) const {
  count = std::min(count, rows_.size());
  std::vector<const TrainingRow*> rows;
  rows.reserve(count);
  for (std::size_t i = rows_.size() - count; i < rows_.size(); ++i)
    rows.push_back(&rows_[(oldest_ + i) % rows_.size()]);
  return rows;
}

void ReplayBuffer::sample(std::uint64_t window_rows, env::RandomStream& stream,
                          std::span<const TrainingRow*> batch) const {
  AWALE_CHECK(window_rows >= 1 && window_rows <= rows_.size(),
              "a window of " << window_rows << " rows of " << rows_.size());
  const std::size_t window_begin = oldest_ + rows_.size() - window_rows;
  const double part = static_cast<double>(window_rows) / static_cast<double>(batch.size());
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const double place = (static_cast<double>(i) + stream.uniform()) * part;
    // Rounding may carry the last part's end out of the window.
    const auto row = std::min(static_cast<std::uint64_t>(place), window_rows - 1);
    batch[i] = &rows_[(window_begin + row) % rows_.size()];
  }
}

}  // namespace awale::training
