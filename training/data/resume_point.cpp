#include "training/data/resume_point.hpp"

#include <algorithm>

namespace awale::training {
namespace {

bool can_resume(const VerifiedFiles& files, const FileFacts& checkpoint,
                std::uint32_t incomplete_until) {
  RowCounts rows;
  for (auto file = files.files.shards.rbegin(); file != files.files.shards.rend(); ++file) {
    const std::uint32_t number = file_number(*file).value_or(0);
    if (number == 0 || number > checkpoint.iteration) continue;
    if (fills(rows, files.learner)) return true;
    const FileFacts* shard = files.sound_shard(number);
    if (shard == nullptr || number <= incomplete_until) return false;
    rows = rows + shard->rows;
  }
  return fills(rows, files.learner) || incomplete_until == 0 ||
         checkpoint.iteration < incomplete_until;
}

}  // namespace

std::optional<std::uint32_t> resume_point(const VerifiedFiles& files,
                                          std::uint32_t incomplete_until) {
  std::optional<std::uint32_t> newest;
  for (const auto& facts : files.sound) {
    if (!facts->checkpoint || !can_resume(files, *facts, incomplete_until)) continue;
    newest = std::max(newest.value_or(0), facts->iteration);
  }
  return newest;
}

}  // namespace awale::training
