#include "training/training_data.hpp"

#include "training/data/row_counts.hpp"
#include "training/run_dir.hpp"
#include "training/surprise.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {

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

void TrainingData::refill(const std::filesystem::path& directory, std::uint32_t iteration) {
  auto numbers = shard_numbers(directory);
  std::erase_if(numbers, [iteration](std::uint32_t number) { return number > iteration; });
  // Backwards until there is enough, then forwards as the games were added first.
  auto first = numbers.end();
  TrainingData enough(learner_, targets_, seed_);
  while (first != numbers.begin() && !enough.is_full()) {
    enough.add(read_shard(shard_file(directory, *--first)).games);
  }
  for (; first != numbers.end(); ++first)
    add(read_shard(shard_file(directory, *first)).games);
}

}  // namespace awale::training
