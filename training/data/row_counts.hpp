// How many training rows shards hold, and how many a learner needs to go on as if it had never
// stopped (TrainingData::refill).
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>

#include "training/config.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct RowCounts {
  std::uint64_t learnt = 0;    // of games that are learnt from
  std::uint64_t held_out = 0;  // of the others
  std::uint64_t total() const { return learnt + held_out; }
};
RowCounts operator+(const RowCounts& left, const RowCounts& right);

// Of each shard of a run, by its number.
using ShardRows = std::map<std::uint32_t, RowCounts>;

// Whether a run's game is held out of learning. Uses RandomPurpose::kHeldOut.
bool is_held_out(const LearnerConfig& learner, std::uint64_t seed, std::uint64_t game_id);

// Searched plies, each a row, of the games of a run with this seed.
RowCounts count_rows(std::span<const GameRecord> games, const LearnerConfig& learner,
                     std::uint64_t seed);

// The same of a shard on disk, whose games are not replayed for it (a hundredth of the time).
// Throws InputError(kFile).
RowCounts count_shard_rows(const std::filesystem::path& shard, const LearnerConfig& learner,
                           std::uint64_t seed);

// Whether the newest rows, so many, fill what a learner keeps: its window and the held-out rows.
bool fills(const RowCounts& rows, const LearnerConfig& learner);

}  // namespace awale::training
