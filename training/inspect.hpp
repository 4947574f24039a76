// What is in a file or directory of ours, for people and for programs.
//
// Trajectory shards are read and checked in full, a run's directory shard after shard (about a
// second for two million plies), together with its newest checkpoint; checkpoints, weights and
// whatever else is HDF5 with a `kind` show their attributes and arrays.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace awale::training {

// Throws InputError(kFile) when `path` is missing, damaged or nothing of ours, kMismatch when a
// newer program wrote it.
nlohmann::ordered_json describe_file(const std::filesystem::path& path);

// The same as indented lines "key: value".
std::string to_text(const nlohmann::ordered_json& description);

}  // namespace awale::training
