// How fast a piece of work runs, measured so that other work on the machine disturbs little:
// contestants take turns in several rounds, and each is judged by the median of its rounds.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace awale::training {

// Something that can be done again and again, on one thread.
class Workload {
 public:
  virtual ~Workload() = default;
  // Does it once; returns how many units (moves, rows, ...) that were.
  virtual long run() = 0;
};

// One contestant: a workload a thread, all of them run at the same time.
struct Contestant {
  std::string name;
  std::vector<std::unique_ptr<Workload>> workloads;
};

// Units a second over the rounds.
struct Rate {
  double median = 0;
  double lowest = 0;
  double highest = 0;
};

struct MeasureConfig {
  double seconds = 0.1;  // a round of a contestant
  int rounds = 5;
};

// [contestants], in their order. `advance` is called after each round of each contestant.
std::vector<Rate> measure(const std::vector<Contestant>& contestants, const MeasureConfig& config,
                          const std::function<void()>& advance);

}  // namespace awale::training
