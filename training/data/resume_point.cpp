#include "training/data/resume_point.hpp"

#include <algorithm>

namespace awale::training {
namespace {

// Up to which iteration games are missing that a checkpoint counts; 0 if none are.
std::uint32_t missing_until(std::span<const Gap> gaps, std::uint32_t checkpoint) {
  std::uint32_t until = 0;
  for (const auto& gap : gaps) {
    if (gap.after < checkpoint) until = gap.until;
  }
  return until;
}

bool can_resume(const VerifiedFiles& files, const FileFacts& checkpoint,
                std::span<const Gap> gaps) {
  const std::uint32_t missing = missing_until(gaps, checkpoint.iteration);
  RowCounts rows;
  std::uint64_t games = 0;
  for (auto file = files.files.shards.rbegin(); file != files.files.shards.rend(); ++file) {
    const std::uint32_t number = file_number(*file).value_or(0);
    if (number == 0 || number > checkpoint.iteration) continue;
    if (fills(rows, files.learner)) return true;
    const FileFacts* shard = files.sound_shard(number);
    if (shard == nullptr || number <= missing) return false;
    rows = rows + shard->rows;
    games += shard->games;
  }
  // Where all games are there, however their rows are counted (as TrainingData::refill).
  return games == checkpoint.games_before || rows.learnt >= checkpoint.needed;
}

}  // namespace

std::optional<std::uint32_t> resume_point(const VerifiedFiles& files, std::span<const Gap> gaps) {
  std::optional<std::uint32_t> newest;
  for (const auto& facts : files.sound) {
    if (!facts->checkpoint || !can_resume(files, *facts, gaps)) continue;
    newest = std::max(newest.value_or(0), facts->iteration);
  }
  return newest;
}

}  // namespace awale::training
