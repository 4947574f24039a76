// How a run begins, and how it goes on: the checkpoint that a training loop starts from.
#pragma once

#include <string>

#include "env/endgame/table.hpp"
#include "training/checkpoint.hpp"
#include "training/config.hpp"
#include "training/run_dir.hpp"

namespace awale::training {

// The config as text (TOML).
struct ConfigText {
  std::string settings;      // all of it, for the run's config.toml
  std::string reproducible;  // without what does not change the result, for the checkpoints; which
                             // endgame table ends games is added, wherever its file lies
};

// The line of the reproducible config that says which table ends games, with its newline.
std::string table_line(const env::EndgameTable& table);

// Writes the directory's config.toml. A new run also writes checkpoint 0, the untrained network;
// with `resume` the newest checkpoint in `directory` goes on, or the beginning if the run was
// killed before its first; where shards are and no checkpoint is, nothing is touched. How the
// config has changed since is shown on stderr. Throws InputError of all kinds that files can cause,
// and kMismatch for a change that is not allowed (config_changes.hpp).
Checkpoint open_run(const TrainingConfig& config, const ConfigText& text, const RunDir& directory,
                    bool resume);

}  // namespace awale::training
