// A run's state, learner and data, whoever plays its games: what is the same for `pipeline`, which
// plays them itself, and for `external/external_training`, to which other processes bring them.
//
// An iteration is any number of add() and one learn(), in the order that the loop wants, then
// end_iteration() and, where a checkpoint is wanted, save(). One thread at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "training/alarms.hpp"
#include "training/checkpoint.hpp"
#include "training/config.hpp"
#include "training/iteration_report.hpp"
#include "training/learner.hpp"
#include "training/learning.hpp"
#include "training/run_clock.hpp"
#include "training/run_dir.hpp"
#include "training/run_writer.hpp"
#include "training/tensorboard/event_log.hpp"
#include "training/training_data.hpp"

namespace awale::training {

struct TrainingSummary {
  std::filesystem::path checkpoint;  // the newest
  bool complete = false;             // false: interrupted, to be resumed
  std::uint32_t iterations = 0;
  std::uint64_t games = 0;
  std::uint64_t rows = 0;
  std::uint64_t learner_steps = 0;
  TimeUsed time;               // of training, of all processes that worked on the run
  double process_seconds = 0;  // of this process alone, as is self_play
  SelfPlayStats self_play;
};

// Who played an iteration's games.
struct PlayedBy {
  SelfPlayStats work;  // of this process
  int threads = 1;     // of this process, those of the learner included
  int shards = 0;      // brought by others
};

class TrainingRun {
 public:
  // Goes on from `checkpoint`, with the games of the shards up to it. `table`: env::describe() of
  // the one that ends games, "" for none. Errors as read_shard().
  TrainingRun(const TrainingConfig& config, const RunDir& directory, Checkpoint checkpoint,
              std::string table);

  bool complete() const { return clock_.progress(state_.iteration) >= 1; }
  bool is_saved(std::uint32_t iteration) const {
    return iteration % static_cast<std::uint32_t>(config_.run.save_every) == 0;
  }

  // Counters after the last iteration; games and weights as last saved.
  const Checkpoint& state() const { return state_; }
  nn::NetworkWeights averaged() const { return learner_.averaged(); }

  // Games that the iteration under way has finished.
  void add(std::vector<GameRecord> games);

  // The steps that are due, at most `limit`. Errors as learn_due_steps(): a batch that diverges is
  // left in the directory.
  void learn(std::uint64_t limit);

  // Counts the iteration and reports it: a line on stderr and one in metrics.jsonl.
  void end_iteration(const PlayedBy& played);

  // Writes the games since the last save and a checkpoint, beside what follows (run_writer.hpp).
  void save(std::vector<GameRecord> open_games);

  // Waits until that is on the disk.
  void wait_for_save() { writer_.close(false); }

  // Waits for the disk and, in a complete run, for the last grades.
  void close() { writer_.close(complete()); }

  TrainingSummary summary() const;  // but for self_play

 private:
  Provenance provenance() const;

  TrainingConfig config_;
  const RunDir& directory_;
  Checkpoint state_;
  std::uint32_t first_iteration_;
  RunClock clock_;
  std::string table_;
  Learner learner_;
  TrainingData data_;
  GameAlarms alarms_;
  LearningReport learning_;                // of the iteration that learned last
  GameStatistics games_;                   // of the iteration under way
  std::vector<GameRecord> unsaved_games_;  // finished since the last shard
  std::chrono::steady_clock::time_point last_end_;
  EventLog events_;
  RunWriter writer_;
};

}  // namespace awale::training
