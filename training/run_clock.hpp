// How far a run is: by iterations, and by time where it has a cap.
#pragma once

#include <chrono>
#include <cstdint>

#include "training/config.hpp"

namespace awale::training {

struct TimeUsed {
  double seconds = 0;       // on the wall
  double core_seconds = 0;  // computed by all threads together
};

class RunClock {
 public:
  // `before`: what a resumed run has used already.
  RunClock(const RunConfig& config, const TimeUsed& before);

  // Time counts from here on, again: what was before this call in this process does not.
  void restart();

  // Since the run began, earlier processes included.
  TimeUsed used() const;

  // ... of this process alone, on the wall.
  double process_seconds() const { return used().seconds - before_.seconds; }

  // 0 at the start, 1 and above when the run is over.
  double progress(std::uint32_t iterations_done) const;

  // Progress within the last `decay_share` of the run, 0 before. Time counts only once the cap has
  // come so near that iterations alone would miss the decay; until then the result does not depend
  // on the machine's speed.
  double decay_progress(std::uint32_t iterations_done, double decay_share) const;

  // Expected remaining seconds, after at least one iteration of this process.
  double seconds_left(std::uint32_t first_iteration, std::uint32_t iterations_done) const;

 private:
  double iteration_progress(std::uint32_t iterations_done) const;
  double time_progress() const;

  RunConfig config_;
  TimeUsed before_;
  std::chrono::steady_clock::time_point begin_;
  double core_seconds_begin_;
};

}  // namespace awale::training
