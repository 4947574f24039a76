#include "training/benchmark/measure.hpp"

#include <algorithm>
#include <barrier>
#include <chrono>
#include <thread>

namespace awale::training {
namespace {

using Clock = std::chrono::steady_clock;

struct Stretch {
  long units = 0;
  Clock::time_point start;
  Clock::time_point end;
};

Stretch run_for(Workload& workload, double seconds) {
  Stretch stretch;
  stretch.start = Clock::now();
  do {
    stretch.units += workload.run();
    stretch.end = Clock::now();
  } while (std::chrono::duration<double>(stretch.end - stretch.start).count() < seconds);
  return stretch;
}

// Units a second of all threads together, from the first one's start to the last one's end: where
// there are fewer cores than threads, they take turns.
double one_round(const Contestant& contestant, double seconds) {
  const std::size_t threads = contestant.workloads.size();
  std::vector<Stretch> stretches(threads);
  std::barrier together(static_cast<std::ptrdiff_t>(threads));
  {
    std::vector<std::jthread> workers;
    for (std::size_t i = 0; i < threads; ++i) {
      workers.emplace_back([&, i] {
        together.arrive_and_wait();
        stretches[i] = run_for(*contestant.workloads[i], seconds);
      });
    }
  }
  Stretch all = stretches.front();
  all.units = 0;
  for (const Stretch& one : stretches) {
    all.units += one.units;
    all.start = std::min(all.start, one.start);
    all.end = std::max(all.end, one.end);
  }
  return static_cast<double>(all.units) /
         std::chrono::duration<double>(all.end - all.start).count();
}

}  // namespace

std::vector<Rate> measure(const std::vector<Contestant>& contestants, const MeasureConfig& config,
                          const std::function<void()>& advance) {
  std::vector<std::vector<double>> rates(contestants.size());
  for (int round = 0; round < config.rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      rates[i].push_back(one_round(contestants[i], config.seconds));
      advance();
    }
  }
  std::vector<Rate> result;
  for (auto& rounds : rates) {
    std::sort(rounds.begin(), rounds.end());
    result.push_back({rounds[rounds.size() / 2], rounds.front(), rounds.back()});
  }
  return result;
}

}  // namespace awale::training
