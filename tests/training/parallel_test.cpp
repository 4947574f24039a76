#include "training/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using awale::training::run_jobs;

TEST_CASE("every job runs exactly once, on a valid worker") {
  for (const int threads : {1, 2, 5}) {
    std::vector<std::atomic<int>> runs(37);
    run_jobs(threads, 37, [&](int index, int worker) {
      ++runs[static_cast<std::size_t>(index)];
      if (worker < 0 || worker >= threads) throw std::out_of_range("worker");
    });
    for (const auto& count : runs)
      CHECK(count == 1);
  }
}

TEST_CASE("no jobs is fine") {
  run_jobs(3, 0, [](int, int) { FAIL("no job to run"); });
}

TEST_CASE("the first failure is rethrown after all workers have stopped") {
  const auto failing = [](int index, int) {
    if (index >= 2) throw std::runtime_error("job " + std::to_string(index));
  };
  CHECK_THROWS_WITH(run_jobs(1, 8, failing), "job 2");
  CHECK_THROWS_AS(run_jobs(4, 8, failing), std::runtime_error);
}
