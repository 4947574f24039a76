#include "training/overlap.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"

using awale::training::OverlappedJobs;
using awale::training::run_overlapped;

namespace {

// Notes what has begun and ended, and checks at every beginning that what it must wait for is over.
class Record {
 public:
  Record(int groups, std::uint32_t first, std::uint32_t last)
      : played_(static_cast<std::size_t>(groups), first - 1),
        learned_(first - 1),
        finished_(first - 1),
        last_(last) {}

  void play(int group, std::uint32_t iteration) {
    {
      const std::lock_guard lock(mutex_);
      problem(played_[static_cast<std::size_t>(group)] + 1 != iteration, "a group's order");
      problem(learned_ + 1 < iteration, "play without its network");
      problem(finished_ + 2 < iteration, "more than one iteration ahead");
    }
    work();
    const std::lock_guard lock(mutex_);
    played_[static_cast<std::size_t>(group)] = iteration;
  }

  void learn(std::uint32_t iteration) {
    {
      const std::lock_guard lock(mutex_);
      problem(learned_ + 1 != iteration || finished_ + 1 != iteration, "learning's order");
    }
    work();
    const std::lock_guard lock(mutex_);
    learned_ = iteration;
  }

  bool finish(std::uint32_t iteration) {
    const std::lock_guard lock(mutex_);
    problem(learned_ != iteration || finished_ + 1 != iteration, "finishing's order");
    for (const auto played : played_)
      problem(played < iteration, "a group has not played");
    finished_ = iteration;
    return iteration != last_;
  }

  OverlappedJobs jobs() {
    return {[this](int group, std::uint32_t iteration, int) { play(group, iteration); },
            [this](std::uint32_t iteration) { learn(iteration); },
            [this](std::uint32_t iteration) { return finish(iteration); }};
  }

  const std::vector<std::string>& problems() const { return problems_; }
  std::uint32_t finished() const { return finished_; }

 private:
  void problem(bool found, const std::string& what) {
    if (found) problems_.push_back(what);
  }

  // Some time, so that jobs overlap.
  static void work() {
    std::atomic<int> count = 0;
    while (count < 20'000)
      ++count;
  }

  std::mutex mutex_;
  std::vector<std::uint32_t> played_;
  std::uint32_t learned_;
  std::uint32_t finished_;
  std::uint32_t last_;
  std::vector<std::string> problems_;
};

}  // namespace

TEST_CASE("acting and learning overlap, and each job finds done what it needs") {
  for (const int threads : {1, 2, 3, 8}) {
    Record record(5, 4, 30);
    run_overlapped(threads, 5, 4, 1000, record.jobs());
    CHECK(record.problems() == std::vector<std::string>());
    CHECK(record.finished() == 30);
  }
  Record all(5, 1, UINT32_MAX);
  run_overlapped(2, 5, 1, 7, all.jobs());
  CHECK(all.finished() == 7);
}

// One worker plays the rest of an iteration, the other goes on with the next one.
TEST_CASE("nobody waits for the last group of an iteration") {
  std::mutex mutex;
  std::condition_variable changed;
  bool next_began = false;
  run_overlapped(2, 2, 1, 2,
                 {[&](int group, std::uint32_t iteration, int) {
                    std::unique_lock lock(mutex);
                    if (iteration == 2) next_began = true;
                    changed.notify_all();
                    if (iteration == 1 && group == 1)
                      changed.wait(lock, [&] { return next_began; });
                  },
                  [](std::uint32_t) {}, [](std::uint32_t) { return true; }});
  CHECK(next_began);
}

TEST_CASE("no iterations are fine") {
  const auto none = [] { throw std::logic_error("no job to run"); };
  run_overlapped(2, 3, 5, 4,
                 {[&](int, std::uint32_t, int) { none(); }, [&](std::uint32_t) { none(); },
                  [&](std::uint32_t) {
                    none();
                    return true;
                  }});
}

TEST_CASE("whichever job fails, all stop and its failure is rethrown") {
  for (const int threads : {1, 3}) {
    for (const std::string failing : {"play", "learn", "finish"}) {
      const auto fail = [&](const std::string& job, std::uint32_t iteration) {
        if (job == failing && iteration == 3) throw std::runtime_error(job);
      };
      CHECK_THROWS_WITH(run_overlapped(threads, 4, 1, 100,
                                       {[&](int, std::uint32_t i, int) { fail("play", i); },
                                        [&](std::uint32_t i) { fail("learn", i); },
                                        [&](std::uint32_t i) {
                                          fail("finish", i);
                                          return true;
                                        }}),
                        failing);
    }
  }
}
