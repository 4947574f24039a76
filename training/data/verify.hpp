// Whether data is whole: every shard and checkpoint read as a whole (checksums, every game
// replayed) and compared with the others of its directory. What is damaged can be set aside, so
// that a run can go on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace awale::training {

struct DamagedFile {
  std::filesystem::path file;
  std::string problem;              // one line: file, game, ply, expected, found
  std::filesystem::path set_aside;  // where it lies now, empty if it stayed
};

struct VerifyReport {
  std::uint64_t shards = 0;
  std::uint64_t checkpoints = 0;
  std::uint64_t games = 0;  // of the sound shards
  std::uint64_t plies = 0;
  std::vector<DamagedFile> damaged;
  std::vector<std::string> contradictions;       // between sound files; files of another kind or a
                                                 // newer program
  std::vector<std::filesystem::path> leftovers;  // of killed writers; nobody reads them
  std::vector<std::string> go_on;                // of each run that is not whole: what to do

  bool sound() const { return damaged.empty() && contradictions.empty(); }
};

// Of every path (file, directory of shards, run). In a directory or run: file names and iterations
// agree, all files have one seed, and no game stands twice; in a run no game is missing (it may
// have deleted its oldest shards); of files that are named one by one only that none stands twice.
// With `set_aside` damaged files are moved to a directory `damaged` beside them, of a run also the
// checkpoints that it cannot go on from without what is damaged or missing, and leftovers are
// removed; a run must not be in training then. `on_file` is called after each file. Throws
// InputError: kFile for a path that is not there, a directory without data or a run that is locked,
// kWrite where a file cannot be moved.
VerifyReport verify_data(std::span<const std::string> paths, bool set_aside,
                         const std::function<void()>& on_file);

// How many files verify_data() will read.
std::size_t count_files(std::span<const std::string> paths);

nlohmann::ordered_json to_json(const VerifyReport& report);
// A line a finding, then the counts.
std::string to_text(const VerifyReport& report);

}  // namespace awale::training
