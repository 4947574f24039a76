// What lies at a path that a user names: a file of ours, a directory of shards, or a run's.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace awale::training {

struct DataFiles {
  std::filesystem::path path;                      // that was named
  bool run = false;                                // a run's directory
  std::vector<std::filesystem::path> shards;       // by name; of a file that was named, itself
  std::vector<std::filesystem::path> checkpoints;  // of a run, by name
  std::vector<std::filesystem::path> leftovers;    // what a killed writer left (.NAME.tmp-*)
};

// Looks at names only, not into files, and not into directories below (damaged/). Throws
// InputError(kFile) if there is nothing at `path`.
DataFiles find_data(const std::filesystem::path& path);

// The shards at all `paths` in their order. Throws InputError(kFile) as find_data(), and for a
// directory without any.
std::vector<std::filesystem::path> find_shards(std::span<const std::string> paths);

// The number that a shard or checkpoint of a run is named by, "000012.h5"; nothing for other names.
std::optional<std::uint32_t> file_number(const std::filesystem::path& file);

}  // namespace awale::training
