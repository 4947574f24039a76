// A run's directory: which file is where, and who may write to it.
//
//   README.txt               what all this is
//   config.toml              the resolved config; `awale train --run DIR --resume` needs no other
//   checkpoints/000012.h5    after 12 iterations
//   shards/000012.h5         the games that iteration 12 and those since the last shard finished
//   metrics.jsonl            a JSON object a line and iteration
//   grades.jsonl             a JSON object a kept checkpoint: its grade
//   tensorboard/             both as event files, one a process (tensorboard/event_log.hpp)
//   evaluation.json          the final grading
//   summary.json             totals; exists once the run is complete
//   diverged/000012.h5       the batch on which iteration 12 diverged
//   incoming/, workers/, damaged/   of runs that learn from others (external/incoming.hpp)
//   lock                     held by the process that trains
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "env/error.hpp"

namespace awale::training {

// The file of the checkpoint after `iteration` iterations below a run's directory.
std::filesystem::path checkpoint_file(const std::filesystem::path& directory,
                                      std::uint32_t iteration);

// The file of shard number `number` in a directory of shards.
std::filesystem::path shard_file(const std::filesystem::path& directory, std::uint32_t number);

// Held by the process that writes to a run's directory: flock() on `lock`, in which pid and host
// stand for people. It dies with the process.
class RunLock {
 public:
  // Throws InputError(kFile) naming pid and host if another process holds it, kWrite if the file
  // system has no locks.
  explicit RunLock(const std::filesystem::path& directory);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

  // Whether a process holds that of `directory`; false where there is none.
  static bool is_held(const std::filesystem::path& directory);

 private:
  int descriptor_;
};

class RunDir {
 public:
  // Creates a new run's directory, or with `resume` opens an existing one, and takes its lock.
  // Throws InputError(kFile) if it exists (new) or does not (resume), or if another process holds
  // the lock.
  RunDir(const std::filesystem::path& path, bool resume);

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path config() const { return path_ / "config.toml"; }
  std::filesystem::path metrics() const { return path_ / "metrics.jsonl"; }
  std::filesystem::path grades() const { return path_ / "grades.jsonl"; }
  std::filesystem::path tensorboard() const { return path_ / "tensorboard"; }
  std::filesystem::path evaluation() const { return path_ / "evaluation.json"; }
  std::filesystem::path summary() const { return path_ / "summary.json"; }
  std::filesystem::path checkpoint(std::uint32_t iteration) const {
    return checkpoint_file(path_, iteration);
  }
  std::filesystem::path shard(std::uint32_t iteration) const {
    return shard_file(path_ / "shards", iteration);
  }

  std::filesystem::path diverged(std::uint32_t iteration) const;

  // Shards later than `iteration`, the newest checkpoint's: of iterations that no checkpoint
  // counts. What a process that was killed left behind, and would stand there twice once it is
  // played again.
  std::vector<std::filesystem::path> uncounted_shards(std::uint32_t iteration) const;

  // Removes checkpoints that are no longer needed: kept are the first, every `keep_every`-th and
  // the newest two.
  void prune_checkpoints(int keep_every) const;

 private:
  std::filesystem::path path_;
  RunLock lock_;
};

// Calls `read`, which reads checkpoints or shards of the run in `directory`, and tells how the run
// can go on without a damaged one: with the InputError(kFile) that `read` throws.
template <typename Read>
auto read_of_run(const std::filesystem::path& directory, const Read& read) {
  try {
    return read();
  } catch (const InputError& error) {
    if (error.kind() != ErrorKind::kFile) throw;
    throw InputError(ErrorKind::kFile, std::string(error.what()) + "; `awale data verify " +
                                           directory.string() +
                                           " --set-aside` says where the run can go on without it");
  }
}

// Calls `read`, which reads `file`, and gives whether it was there: a run in training deletes files
// after others have listed them. Throws as `read` otherwise.
template <typename Read>
bool read_unless_deleted(const std::filesystem::path& file, const Read& read) {
  try {
    read();
  } catch (const InputError&) {
    if (std::filesystem::exists(std::filesystem::symlink_status(file))) throw;
    return false;
  }
  return true;
}

// Iterations for which `directory` (a run's) holds a checkpoint, ascending.
std::vector<std::uint32_t> checkpoint_iterations(const std::filesystem::path& directory);

// Numbers of the shards in a directory of shards, ascending.
std::vector<std::uint32_t> shard_numbers(const std::filesystem::path& directory);

}  // namespace awale::training
