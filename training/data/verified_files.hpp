// Private to verify: the files of one directory or run as they were read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "training/config.hpp"
#include "training/data/data_files.hpp"
#include "training/data/row_counts.hpp"
#include "training/data/verify.hpp"

namespace awale::training {

// What a sound file says of itself.
struct FileFacts {
  std::filesystem::path file;
  bool checkpoint = false;
  std::uint64_t seed = 0;
  std::uint32_t iteration = 0;
  // Games of the run that are counted before it: all, for a checkpoint; not known of shards of
  // older programs and those that no run wrote.
  std::optional<std::uint64_t> games_before;
  std::uint64_t games = 0;   // of a shard: in it
  RowCounts rows;            // of a shard: in it
  std::uint64_t needed = 0;  // of a checkpoint: the newest rows that the learner goes on with
};

struct VerifiedFiles {
  DataFiles files;
  std::vector<std::unique_ptr<FileFacts>> sound;
  std::set<std::filesystem::path> unread;  // damaged or of a newer program
  LearnerConfig learner;                   // of the newest sound checkpoint: what it needs

  // The sound shard of this iteration, null if there is none.
  const FileFacts* sound_shard(std::uint32_t iteration) const;
  // Of all checkpoints, sound or not; 0 if there is none.
  std::uint32_t newest_checkpoint() const;
  // Whether one of the damaged files is of this directory.
  bool any_damaged(const VerifyReport& report) const;
};

// Reads all of them. What is damaged, of a newer program, of another kind, or has a game a second
// time goes into `report`, as do the counts. Files that a run in training has deleted meanwhile
// are as if they had not been there.
VerifiedFiles read_all(DataFiles files, VerifyReport& report, const std::function<void()>& on_file);

// The number at `key` of a resolved config, `otherwise` if it is not there.
double config_number(const std::string& config, const std::string& key, double otherwise);

}  // namespace awale::training
