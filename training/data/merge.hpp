// Many shards to one: of one run or of several, of one rule set or of several.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "training/trajectory_log.hpp"

namespace awale::training {

struct MergeCounts {
  std::uint64_t files = 0;
  std::uint64_t games = 0;  // that were written
  std::uint64_t plies = 0;
  std::uint64_t dropped = 0;  // games that stood in a file before
};

// All games in the order of the files, which become the sources of the merged shard (those of a
// merged file remain). Games are the same where seed, game id, rules and moves are (runs of one
// seed and other settings play other games): they are left out but for the first with
// `drop_duplicates`, else an error. The result is in memory, about 160 bytes a ply. `on_file` is
// called after each file. Throws InputError: as read_shard(); kMismatch for a game that stands
// twice, naming both files, and for more rule sets or sources than a shard can have.
Shard merge_shards(std::span<const std::filesystem::path> files, bool drop_duplicates,
                   const std::function<void()>& on_file, MergeCounts& counts);

}  // namespace awale::training
