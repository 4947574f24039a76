#include "training/run_clock.hpp"

#include "tests/support/catch.hpp"

using awale::training::RunClock;
using awale::training::RunConfig;
using awale::training::TimeUsed;

namespace {

RunConfig run_of(int iterations, double minutes) {
  RunConfig config;
  config.iterations = iterations;
  config.minutes = minutes;
  return config;
}

}  // namespace

TEST_CASE("a run without a time limit progresses by iterations alone") {
  const RunClock clock(run_of(10, 0), {1e6, 1e6});
  CHECK(clock.progress(5) == Approx(0.5));
  CHECK(clock.decay_progress(6, 0.4) == Approx(0.0).margin(1e-9));
  CHECK(clock.decay_progress(8, 0.4) == Approx(0.5));
  CHECK(clock.decay_progress(10, 0.4) == Approx(1.0));
}

TEST_CASE("a time limit ends the run and brings the decay forward") {
  const RunClock clock(run_of(1000, 1), {54, 0});
  CHECK(clock.progress(1) == Approx(0.9).margin(0.05));
  CHECK(clock.decay_progress(1, 0.2) == Approx(0.5).margin(0.2));
  const RunClock over(run_of(1000, 1), {61, 0});
  CHECK(over.progress(1) >= 1.0);
}

TEST_CASE("a limit of processor time is met by what all threads have computed") {
  RunConfig config = run_of(1000, 0);
  config.core_minutes = 2;
  const RunClock clock(config, {1e6, 60});  // minutes on the wall do not matter
  CHECK(clock.progress(1) == Approx(0.5).margin(0.05));
  CHECK(RunClock(config, {0, 121}).progress(1) >= 1.0);

  const auto computed = [](const TimeUsed& time) { return time.core_seconds > 60.01; };
  while (!computed(clock.used())) {
  }
  CHECK(clock.progress(1) > 60.01 / 120);
}

TEST_CASE("a clock that is restarted has used what it had before") {
  RunClock clock(run_of(1000, 0), {100, 60});
  while (clock.used().core_seconds < 60.05) {
  }
  clock.restart();
  CHECK(clock.used().core_seconds < 60.05);
  CHECK(clock.used().seconds < 100.05);
}

TEST_CASE("of two limits the one that comes first ends the run") {
  RunConfig config = run_of(1000, 1);
  config.core_minutes = 1;
  CHECK(RunClock(config, {30, 61}).progress(1) >= 1.0);
  CHECK(RunClock(config, {61, 30}).progress(1) >= 1.0);
  CHECK(RunClock(config, {30, 30}).progress(1) < 1.0);
}

TEST_CASE("time does not enter the decay before it must") {
  const RunClock clock(run_of(1000, 60), {60, 0});
  CHECK(clock.decay_progress(100, 0.3) == 0.0);
}

TEST_CASE("a run without decay keeps its learning rate") {
  const RunClock clock(run_of(10, 0), {});
  CHECK(clock.decay_progress(10, 0) == 0.0);
}
