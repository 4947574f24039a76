// The main loop of training: play, log, learn, save, again. Read this first.
//
// Iteration k plays with the averaged network that k-1 iterations have made, on all threads; beside
// it, as one more job, the learner trains on the games of the iterations before k. So the lag
// between acting and learning is fixed at one iteration, all cores work (overlap.hpp), and the
// result depends on seed and config alone, never on the number of threads. Files are the only
// memory, written beside all this every run.save_every iterations: a run that is killed goes on
// from its newest checkpoint, plays again what came after it and writes what it would have written
// anyway.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "training/config.hpp"
#include "training/run_dir.hpp"
#include "training/self_play.hpp"

namespace awale::training {

// The config as text (TOML).
struct ConfigText {
  std::string settings;      // all of it, for the run's config.toml
  std::string reproducible;  // without what does not change the result, for the checkpoints; which
                             // endgame table ends games is added, wherever its file lies
};

struct TrainingSummary {
  std::filesystem::path checkpoint;  // the newest
  bool complete = false;             // false: interrupted, to be resumed
  std::uint32_t iterations = 0;
  std::uint64_t games = 0;
  std::uint64_t rows = 0;
  std::uint64_t learner_steps = 0;
  double seconds = 0;          // of training, of all processes that worked on the run
  double process_seconds = 0;  // of this process alone, as is self_play
  SelfPlayStats self_play;
};

// Trains until config.run.iterations or config.run.minutes are reached or the process is
// interrupted. Writes the directory's config.toml. A new run also writes checkpoint 0, the
// untrained network; with `resume` the newest checkpoint in `directory` goes on. One line an
// iteration on stderr. Throws InputError of all kinds that files can cause, kDiverged, and
// kMismatch when the config that is resumed differs in what decides the result.
TrainingSummary run_training(const TrainingConfig& config, const ConfigText& text,
                             const RunDir& directory, bool resume);

}  // namespace awale::training
