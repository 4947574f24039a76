// Writes what a run leaves behind, beside the training, on a thread of its own: shards, then the
// checkpoint that counts them, then away with what is no longer needed; and has kept checkpoints
// graded.
//
// One save at a time: who saves again while the disk is still busy waits for it, so a slow disk
// slows a run and memory stays bounded. What fails (a full disk) is thrown at the next call.
#pragma once

#include <future>
#include <set>
#include <vector>

#include "training/alarms.hpp"
#include "training/checkpoint.hpp"
#include "training/checkpoint_grader.hpp"
#include "training/config.hpp"
#include "training/data/row_counts.hpp"
#include "training/run_dir.hpp"
#include "training/tensorboard/event_log.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {

// A run after checkpoint.iteration iterations, and the games finished since the last save.
struct Save {
  Provenance provenance;
  std::vector<GameRecord> games;
  Checkpoint checkpoint;
};

class RunWriter {
 public:
  // Has those kept checkpoints up to `iteration` graded whose grades an interruption left out; the
  // first one, too.
  RunWriter(const TrainingConfig& config, const RunDir& directory, std::uint32_t iteration,
            EventLog& events);

  // Waits for the last save and throws what it threw: InputError(kWrite) of a disk.
  void save(Save save);

  // Waits until all is written. With `grade_last`, the end of a run, also until every grade is
  // there, the last checkpoint's included, unless the process is interrupted. Throws as save().
  void close(bool grade_last);

 private:
  bool is_kept(std::uint32_t iteration) const;
  void write(const Save& save);
  void grade(std::uint32_t iteration);
  void report_grades();

  TrainingConfig config_;
  const RunDir& directory_;
  EventLog& events_;
  CheckpointGrader grader_;
  std::set<std::uint32_t> graded_;  // or being graded
  GradeAlarms alarms_;              // of those after them
  std::uint32_t last_iteration_;    // saved
  ShardRows shard_rows_;
  std::future<void> writing_;  // last: it uses the others
};

}  // namespace awale::training
