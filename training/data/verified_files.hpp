// Private to verify: the files of one directory or run as they were read.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
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
  std::uint64_t games = 0;  // of a shard: in it; of a checkpoint: finished so far
  RowCounts rows;           // of a shard
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

// Reads all of them. What is damaged, of a newer program, or has a game a second time goes into
// `report`, as do the counts.
VerifiedFiles read_all(DataFiles files, VerifyReport& report, const std::function<void()>& on_file);

// The number at `key` of a resolved config, `otherwise` if it is not there.
double config_number(const std::string& config, const std::string& key, double otherwise);

}  // namespace awale::training
