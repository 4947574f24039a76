// What the learner knows of the games so far: a replay buffer to learn from and the games held out
// of it.
//
// Whether a game is held out depends on the run's seed and its id alone. The same games added in
// the same order give the same content, so a resumed run reads its newest shards and goes on as if
// it had never stopped. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "training/config.hpp"
#include "training/replay_buffer.hpp"

namespace awale::training {

struct Checkpoint;

class TrainingData {
 public:
  TrainingData(const LearnerConfig& learner, const TargetConfig& targets, std::uint64_t seed);

  // Rows of finished games; returns how many there are to learn from.
  std::uint64_t add(std::span<const GameRecord> games);

  // The games that `state`, a run's, counts, from the shards in `directory` (its "shards"), as far
  // back as they still matter. Errors as read_shard(), and InputError(kFile) where shards are
  // missing that the learner would go on with.
  void refill(const std::filesystem::path& directory, const Checkpoint& state);

  const ReplayBuffer& replay() const { return replay_; }
  const ReplayBuffer& held_out() const { return held_out_; }

 private:
  bool is_full() const;  // more games would push out older rows
  void add_repeated(const GameRecord& game, std::span<const TrainingRow> rows);

  LearnerConfig learner_;
  TargetConfig targets_;
  std::uint64_t seed_;
  ReplayBuffer replay_;
  ReplayBuffer held_out_;
};

}  // namespace awale::training
