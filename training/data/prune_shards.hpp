// How much of a run's games is kept: shards that are wholly older than the newest so many rows go.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "training/config.hpp"
#include "training/data/row_counts.hpp"

namespace awale::training {

// Deletes the shards of the run in `directory` that are not needed: those before the newest ones
// that hold data.keep_rows rows and that fill what the learner keeps, both counted back from the
// second newest checkpoint. So from either of the newest two the run can go on to the same bytes.
// What is newer stays. Oldest first, so that a kill leaves no gap.
//
// `rows` tells what is in a shard; what it does not know is read and noted there, so that each
// shard is read once. Who knows better than count_shard_rows() (rows that are repeated or left out)
// says so. Returns the numbers deleted, ascending. With keep_rows 0 everything is kept. A shard
// that cannot be deleted stays, with those behind it, and the next call tries again. Throws
// InputError(kFile) for a shard that is damaged.
std::vector<std::uint32_t> prune_shards(const std::filesystem::path& directory,
                                        const DataConfig& data, const LearnerConfig& learner,
                                        std::uint64_t seed, ShardRows& rows);

}  // namespace awale::training
