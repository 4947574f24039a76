// How far a run is: by iterations, and by time where it has a cap.
#pragma once

#include <chrono>
#include <cstdint>

#include "training/config.hpp"

namespace awale::training {

class RunClock {
 public:
  // `seconds_before`: what a resumed run has used already.
  RunClock(const RunConfig& config, double seconds_before);

  // Training time in seconds, of earlier processes included.
  double seconds() const;

  // ... of this process alone.
  double process_seconds() const { return seconds() - seconds_before_; }

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
  double seconds_before_;
  std::chrono::steady_clock::time_point begin_;
};

}  // namespace awale::training
