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

#include "training/config.hpp"
#include "training/run_dir.hpp"
#include "training/run_start.hpp"
#include "training/training_run.hpp"

namespace awale::training {

// Trains until config.run.iterations or config.run.minutes are reached or the process is
// interrupted, a new run or, with `resume`, the one in `directory` (run_start.hpp). One line an
// iteration on stderr. Throws InputError as open_run(), of all kinds that files can cause, and
// kDiverged.
TrainingSummary run_training(const TrainingConfig& config, const ConfigText& text,
                             const RunDir& directory, bool resume);

}  // namespace awale::training
