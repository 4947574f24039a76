#include "training/run_clock.hpp"

#include "tests/support/catch.hpp"

using awale::training::RunClock;
using awale::training::RunConfig;

namespace {

RunConfig run_of(int iterations, double minutes) {
  RunConfig config;
  config.iterations = iterations;
  config.minutes = minutes;
  return config;
}

}  // namespace

TEST_CASE("a run without a time limit progresses by iterations alone") {
  const RunClock clock(run_of(10, 0), 1e6);
  CHECK(clock.progress(5) == Approx(0.5));
  CHECK(clock.decay_progress(6, 0.4) == Approx(0.0).margin(1e-9));
  CHECK(clock.decay_progress(8, 0.4) == Approx(0.5));
  CHECK(clock.decay_progress(10, 0.4) == Approx(1.0));
}

TEST_CASE("a time limit ends the run and brings the decay forward") {
  const RunClock clock(run_of(1000, 1), 54);
  CHECK(clock.progress(1) == Approx(0.9).margin(0.05));
  CHECK(clock.decay_progress(1, 0.2) == Approx(0.5).margin(0.2));
  const RunClock over(run_of(1000, 1), 61);
  CHECK(over.progress(1) >= 1.0);
}

TEST_CASE("time does not enter the decay before it must") {
  const RunClock clock(run_of(1000, 60), 60);
  CHECK(clock.decay_progress(100, 0.3) == 0.0);
}

TEST_CASE("a run without decay keeps its learning rate") {
  const RunClock clock(run_of(10, 0), 0);
  CHECK(clock.decay_progress(10, 0) == 0.0);
}
