// How one thread tells another that searches when to end: now, or at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <limits>

namespace awale::mcts {

// Any thread may call anything.
class StopSignal {
 public:
  using Clock = std::chrono::steady_clock;

  void stop() { stopped_ = true; }
  void stop_at(Clock::time_point deadline) { deadline_ = deadline; }
  // As if nothing had been said.
  void reset() {
    stopped_ = false;
    deadline_ = kNever;
  }

  bool stopped() const {
    if (stopped_) return true;
    const Clock::time_point deadline = deadline_;
    return deadline != kNever && Clock::now() >= deadline;
  }
  // Seconds until the deadline; infinite without one.
  double seconds_left() const {
    const Clock::time_point deadline = deadline_;
    if (deadline == kNever) return std::numeric_limits<double>::infinity();
    return std::chrono::duration<double>(deadline - Clock::now()).count();
  }

 private:
  static constexpr Clock::time_point kNever = Clock::time_point::max();

  std::atomic<bool> stopped_ = false;
  std::atomic<Clock::time_point> deadline_ = kNever;
};

}  // namespace awale::mcts
