// The learner's share of one iteration: as many steps as the rows so far call for.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "training/config.hpp"
#include "training/learner.hpp"
#include "training/training_data.hpp"

namespace awale::training {

struct LearningReport {
  std::uint64_t steps = 0;
  LossReport losses;                     // means over the steps
  std::optional<LossReport> validation;  // of the averaged network on the rows held out
  double rate = 0;                       // learning rate of the last step
  double seconds = 0;
  std::uint64_t window_rows = 0;  // the rows that batches were drawn from
};

// The newest rows that batches are drawn from, when `rows` have been played so far.
std::uint64_t window_rows(const LearnerConfig& config, std::uint64_t rows);

// Steps to make now: so many that every row so far is used uses_per_row times on average, none
// before warmup_rows, at most `limit` (what is left over is made up for later).
std::uint64_t steps_due(const LearnerConfig& config, std::uint64_t rows, std::uint64_t steps_done,
                        std::uint64_t limit);

// Half as many steps again as an iteration's plies call for: the first games end all at once, and
// the learner shall not keep self-play waiting for long.
std::uint64_t steps_limit(const TrainingConfig& config);

// What an iteration's steps depend on.
struct DueSteps {
  std::uint64_t rows = 0;                // played so far
  double decay_progress = 0;             // learning_rate()
  std::uint64_t limit = 0;               // of steps
  std::filesystem::path diverged_batch;  // where a batch is left on which training diverges
};

// Makes the steps that are due. Batch s is drawn from RandomStream(seed, kReplay, s, 0).
// Throws InputError(kDiverged) that says where the batch is and how to go on, the learner being as
// before that step. Once there are enough rows held out, losses are taken of the averaged network
// on them, too.
LearningReport learn_due_steps(const TrainingConfig& config, const DueSteps& due,
                               const TrainingData& data, Learner& learner);

}  // namespace awale::training
