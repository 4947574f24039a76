#include "training/run_clock.hpp"

#include <algorithm>

namespace awale::training {
namespace {

double share_of_end(double progress, double share) {
  if (share <= 0) return 0;
  return std::clamp((progress - (1.0 - share)) / share, 0.0, 1.0);
}

}  // namespace

RunClock::RunClock(const RunConfig& config, double seconds_before)
    : config_(config), seconds_before_(seconds_before), begin_(std::chrono::steady_clock::now()) {}

double RunClock::seconds() const {
  return seconds_before_ +
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

double RunClock::iteration_progress(std::uint32_t iterations_done) const {
  return static_cast<double>(iterations_done) / static_cast<double>(config_.iterations);
}

double RunClock::time_progress() const {
  return config_.minutes > 0 ? seconds() / (60.0 * config_.minutes) : 0.0;
}

double RunClock::progress(std::uint32_t iterations_done) const {
  return std::max(iteration_progress(iterations_done), time_progress());
}

double RunClock::decay_progress(std::uint32_t iterations_done, double decay_share) const {
  return std::max(share_of_end(iteration_progress(iterations_done), decay_share),
                  share_of_end(time_progress(), decay_share));
}

double RunClock::seconds_left(std::uint32_t first_iteration, std::uint32_t iterations_done) const {
  const double done = iterations_done - first_iteration;
  const double todo = static_cast<double>(config_.iterations) - iterations_done;
  const double by_iterations = process_seconds() / std::max(done, 1.0) * todo;
  if (config_.minutes <= 0) return by_iterations;
  return std::clamp(60.0 * config_.minutes - seconds(), 0.0, by_iterations);
}

}  // namespace awale::training
