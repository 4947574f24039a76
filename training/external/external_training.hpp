// Training on games that other processes play: this one learns alone. Read pipeline.hpp first.
//
// An iteration is whatever games have come in when it begins (incoming.hpp): they are added,
// learned from in as many steps as are due, and saved, shard and checkpoint; only then do their
// files go. Those who play (follower.hpp) take the newest checkpoint. Everybody may be killed at
// any time. Which games come in when is chance, so such a run is not reproducible.
#pragma once

#include "training/config.hpp"
#include "training/run_dir.hpp"
#include "training/run_start.hpp"
#include "training/training_run.hpp"

namespace awale::training {

// As run_training(), until config.run.iterations or config.run.minutes are reached or the process
// is interrupted. While nothing comes in it waits and says so on stderr. Every iteration is saved,
// whatever config.run.save_every.
TrainingSummary run_external_training(const TrainingConfig& config, const ConfigText& text,
                                      const RunDir& directory, bool resume);

}  // namespace awale::training
