// What one iteration did: a line for people (stderr) and an object for programs (metrics.jsonl).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "training/game_statistics.hpp"
#include "training/learning.hpp"
#include "training/run_clock.hpp"
#include "training/self_play.hpp"

namespace awale::training {

struct IterationReport {
  std::uint32_t iteration = 0;
  std::uint32_t iterations = 0;   // of the whole run
  std::uint64_t total_games = 0;  // finished so far
  std::uint64_t total_rows = 0;
  std::uint64_t total_steps = 0;
  GameStatistics games;  // that this iteration finished
  LearningReport learning;
  SelfPlayStats self_play;  // of this iteration, of this process
  int shards = 0;           // of games that other processes have played
  int threads = 1;
  double seconds = 0;  // since the end of the iteration before
  TimeUsed run_time;   // of the run so far
  double seconds_left = 0;

  double simulations_per_second() const;
  double evaluations_per_second() const;
  double games_per_second() const;
  double network_share() const;  // of self-play's computing time
  // Of the threads' time, in which they played or learned. What one does for the next iteration is
  // counted there, so single iterations may be above 1.
  double busy_share() const;
};

nlohmann::ordered_json to_json(const IterationReport& report);
std::string to_line(const IterationReport& report);

}  // namespace awale::training
