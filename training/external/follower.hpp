// Self-play for a run that learns elsewhere (external_training.hpp): with the run's newest
// checkpoint, its rules, search and games, an iteration after the other. Finished games are handed
// over after each; a newer checkpoint is taken before each.
//
// Any number may play for one run, on any hosts that share its folder. They may come, go and be
// killed at any time: what has not been handed over was never played, and a follower that comes
// back is a new one with new games.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "training/config.hpp"

namespace awale::training {

struct FollowConfig {
  std::filesystem::path run;
  TrainingConfig training;             // the run's, with threads, evaluator and table as here
  std::optional<std::uint64_t> games;  // as many are played to their end; nothing: as long as the
                                       // run goes
};

struct FollowSummary {
  std::uint32_t worker = 0;
  std::uint64_t games = 0;
  std::uint32_t shards = 0;
};

// Returns once there is a run that learns from others and has a checkpoint; false if it is
// complete, so that there is nothing to play. Who starts it may come second, but not later than a
// minute. Throws InputError(kFile) if there is none, Interrupted at a signal.
bool wait_for_run(const std::filesystem::path& run);

// Plays until the run has its summary, the process is interrupted or the games are played. Waits
// while more than run.most_waiting shards wait for the learner. Throws InputError: kWrite; kFile
// for damaged checkpoints; kMismatch if its table is not the run's.
FollowSummary follow_run(const FollowConfig& config);

}  // namespace awale::training
