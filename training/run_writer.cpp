#include "training/run_writer.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

#include "training/data/prune_shards.hpp"
#include "training/interrupt.hpp"
#include "training/metrics.hpp"

namespace awale::training {

RunWriter::RunWriter(const TrainingConfig& config, const RunDir& directory, std::uint32_t iteration,
                     EventLog& events)
    : config_(config),
      directory_(directory),
      events_(events),
      grader_(config),
      graded_(graded_iterations(directory.grades(), iteration)),
      alarms_(config.alarms, directory.grades()),
      last_iteration_(iteration) {
  for (const std::uint32_t kept : checkpoint_iterations(directory.path())) {
    if (kept <= iteration && is_kept(kept)) grade(kept);
  }
}

bool RunWriter::is_kept(std::uint32_t iteration) const {
  return iteration % static_cast<std::uint32_t>(config_.run.keep_every) == 0;
}

void RunWriter::grade(std::uint32_t iteration) {
  if (graded_.insert(iteration).second) grader_.add(iteration, directory_.checkpoint(iteration));
}

void RunWriter::report_grades() {
  for (auto& grade : grader_.take_finished()) {
    alarms_.look(grade);
    append_metrics(directory_.grades(), grade);
    events_.append(grade);
    std::fprintf(stderr, "%s\n", grade_line(grade).c_str());
  }
}

void RunWriter::save(Save save) {
  if (writing_.valid()) writing_.get();
  last_iteration_ = save.checkpoint.iteration;
  writing_ = std::async(std::launch::async, [this, save = std::move(save)] { write(save); });
}

void RunWriter::write(const Save& save) {
  const std::uint32_t iteration = save.checkpoint.iteration;
  write_shard(directory_.shard(iteration), save.provenance, save.games);
  // After the shard: whatever a checkpoint counts is on the disk.
  write_checkpoint(directory_.checkpoint(iteration), save.checkpoint);
  directory_.prune_checkpoints(config_.run.keep_every);
  shard_rows_[iteration] = count_rows(save.games, config_.learner, config_.run.seed);
  prune_shards(directory_.path(), config_.data, config_.learner, config_.run.seed, shard_rows_);
  if (is_kept(iteration)) grade(iteration);
  report_grades();
}

void RunWriter::close(bool grade_last) {
  if (writing_.valid()) writing_.get();
  if (!grade_last) return;
  grade(last_iteration_);
  grader_.wait(interrupted);
  report_grades();
}

}  // namespace awale::training
