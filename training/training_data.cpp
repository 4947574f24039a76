#include "training/training_data.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "training/checkpoint.hpp"
#include "training/data/row_counts.hpp"
#include "training/format_text.hpp"
#include "training/learning.hpp"
#include "training/run_dir.hpp"
#include "training/surprise.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& directory, const std::string& problem) {
  throw InputError(ErrorKind::kFile, quoted(directory) + ": " + problem);
}

// How many games the shards older than `shard` hold. `games` are all up to the next one.
std::uint64_t games_before(const fs::path& directory, const Shard& shard, std::uint64_t games) {
  const std::uint64_t own = shard.games.size();
  // Not written by older programs.
  const auto before = shard.provenance.games_before.value_or(games - std::min(own, games));
  if (before + own == games) return before;
  fail(directory, "shards are missing after iteration " +
                      std::to_string(shard.provenance.iteration) + ": expected " +
                      std::to_string(games) + " games before the next one, found " +
                      std::to_string(before + own));
}

}  // namespace

TrainingData::TrainingData(const LearnerConfig& learner, const TargetConfig& targets,
                           std::uint64_t seed)
    : learner_(learner),
      targets_(targets),
      seed_(seed),
      replay_(static_cast<std::size_t>(learner.window_rows)),
      held_out_(static_cast<std::size_t>(learner.validation_rows)) {}

std::uint64_t TrainingData::add(std::span<const GameRecord> games) {
  std::uint64_t to_learn_from = 0;
  for (const auto& game : games) {
    const auto rows = training_rows(game, targets_);
    if (is_held_out(learner_, seed_, game.game_id)) {
      held_out_.add(rows);
      continue;
    }
    add_repeated(game, rows);
    to_learn_from += rows.size();
  }
  return to_learn_from;
}

bool TrainingData::is_full() const {
  const bool none_held_out = learner_.validation_share == 0;
  return replay_.size() == replay_.capacity() &&
         (none_held_out || held_out_.size() == held_out_.capacity());
}

void TrainingData::add_repeated(const GameRecord& game, std::span<const TrainingRow> rows) {
  const auto repeats = repeats_by_surprise(game, learner_.surprise_share, seed_);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (int i = 0; i < repeats[row]; ++i)
      replay_.add(rows.subspan(row, 1));
  }
}

void TrainingData::refill(const fs::path& directory, const Checkpoint& state) {
  auto numbers = shard_numbers(directory);
  std::erase_if(numbers, [&](std::uint32_t number) { return number > state.iteration; });
  // Backwards until there is enough, then forwards as the games were added first.
  auto first = numbers.end();
  TrainingData enough(learner_, targets_, seed_);
  std::uint64_t games = state.games;
  while (first != numbers.begin() && !enough.is_full()) {
    const Shard shard = read_shard(shard_file(directory, *--first));
    games = games_before(directory, shard, games);
    enough.add(shard.games);
  }
  const std::uint64_t rows = enough.replay().size();
  const std::uint64_t needed = window_rows(learner_, state.rows);
  if (games > 0 && rows < needed) {
    fail(directory, "expected the newest " + std::to_string(needed) +
                        " rows that the learner goes on with, found " + std::to_string(rows) +
                        ": older shards are missing (or learner.window_rows was less)");
  }
  for (; first != numbers.end(); ++first)
    add(read_shard(shard_file(directory, *first)).games);
}

}  // namespace awale::training
