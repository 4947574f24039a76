#include "training/analysis/line_queue.hpp"

#include <algorithm>
#include <istream>

namespace awale::training {

LineQueue::LineQueue(std::istream& input, std::size_t most_waiting)
    : most_waiting_(most_waiting), reader_([this, &input] { read(input); }) {}

LineQueue::~LineQueue() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  changed_.notify_all();
  reader_.join();
}

std::vector<std::string> LineQueue::take(std::size_t most) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return !lines_.empty() || ended_; });
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, lines_.size()));
  std::vector<std::string> taken(std::make_move_iterator(lines_.begin()),
                                 std::make_move_iterator(lines_.begin() + count));
  lines_.erase(lines_.begin(), lines_.begin() + count);
  lock.unlock();
  changed_.notify_all();
  return taken;
}

void LineQueue::read(std::istream& input) {
  std::string line;
  while (std::getline(input, line)) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return lines_.size() < most_waiting_ || stopped_; });
    if (stopped_) return;
    lines_.push_back(std::move(line));
    lock.unlock();
    changed_.notify_all();
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

}  // namespace awale::training
