#include "training/run_clock.hpp"

#include <algorithm>
#include <ctime>

namespace awale::training {
namespace {

double share_of_end(double progress, double share) {
  if (share <= 0) return 0;
  return std::clamp((progress - (1.0 - share)) / share, 0.0, 1.0);
}

// Of all threads of this process.
double process_core_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

}  // namespace

RunClock::RunClock(const RunConfig& config, const TimeUsed& before)
    : config_(config),
      before_(before),
      begin_(std::chrono::steady_clock::now()),
      core_seconds_begin_(process_core_seconds()) {}

void RunClock::restart() {
  begin_ = std::chrono::steady_clock::now();
  core_seconds_begin_ = process_core_seconds();
}

TimeUsed RunClock::used() const {
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin_;
  return {before_.seconds + wall.count(),
          before_.core_seconds + process_core_seconds() - core_seconds_begin_};
}

double RunClock::iteration_progress(std::uint32_t iterations_done) const {
  return static_cast<double>(iterations_done) / static_cast<double>(config_.iterations);
}

double RunClock::time_progress() const {
  const TimeUsed time = used();
  return std::max(
      config_.minutes > 0 ? time.seconds / (60.0 * config_.minutes) : 0.0,
      config_.core_minutes > 0 ? time.core_seconds / (60.0 * config_.core_minutes) : 0.0);
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
  const double progress = time_progress();
  if (progress <= 0) return by_iterations;
  return std::clamp(used().seconds / progress * (1 - progress), 0.0, by_iterations);
}

}  // namespace awale::training
