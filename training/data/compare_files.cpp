#include "training/data/compare_files.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>

#include "nn/atomic_file.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListed = 5;  // contradictions of one kind

void compare_names(const VerifiedFiles& files, VerifyReport& report) {
  for (const auto& facts : files.sound) {
    const auto number = file_number(facts->file);
    if (!number || *number == facts->iteration) continue;
    report.contradictions.push_back(quoted(facts->file) + ": expected iteration " +
                                    std::to_string(*number) + " as its name says, found " +
                                    std::to_string(facts->iteration));
  }
}

void compare_seeds(const VerifiedFiles& files, VerifyReport& report) {
  std::size_t listed = 0;
  for (const auto& facts : files.sound) {
    const FileFacts& first = *files.sound.front();
    if (facts->seed == first.seed || ++listed > kMostListed) continue;
    report.contradictions.push_back(quoted(facts->file) + ": expected seed " +
                                    std::to_string(first.seed) + " as in " + quoted(first.file) +
                                    ", found " + std::to_string(facts->seed));
  }
}

// Whether the run's own config says so.
bool deletes_shards(const DataFiles& files) {
  const fs::path config = files.path / "config.toml";
  if (!files.run || !fs::exists(config)) return false;
  const auto bytes = nn::read_file(config);
  const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return config_number(text, "keep_rows", 0) > 0;
}

// Whether the games between two checkpoints are all in the shards between them, none of which is
// damaged (which is said elsewhere); or a run has deleted its oldest shards.
bool compare_games(const VerifiedFiles& files, const FileFacts& last, const FileFacts& next,
                   VerifyReport& report) {
  std::uint64_t games = 0;
  bool older = false;  // whether there are shards of before
  for (const auto& file : files.files.shards) {
    const std::uint32_t number = file_number(file).value_or(0);
    if (number > 0 && number <= last.iteration) older = true;
    if (number <= last.iteration || number > next.iteration) continue;
    const FileFacts* shard = files.sound_shard(number);
    if (shard == nullptr) return true;
    games += shard->games;
  }
  const std::uint64_t expected = next.games - last.games;
  const bool pruned = games < expected && !older && deletes_shards(files.files);
  if (games == expected || pruned) return true;
  report.contradictions.push_back(
      quoted(files.files.path) + ": expected " + std::to_string(expected) +
      " games in the shards of iterations " + std::to_string(last.iteration + 1) + " to " +
      std::to_string(next.iteration) + " as the checkpoints count, found " + std::to_string(games));
  return false;
}

// A checkpoint knows how many games have been finished.
std::uint32_t find_gaps(const VerifiedFiles& files, VerifyReport& report) {
  std::map<std::uint32_t, const FileFacts*> checkpoints;
  for (const auto& facts : files.sound) {
    if (facts->checkpoint) checkpoints[facts->iteration] = facts.get();
  }
  std::uint32_t incomplete_until = 0;
  const FileFacts* last = nullptr;
  for (const auto& [iteration, facts] : checkpoints) {
    if (last != nullptr && !compare_games(files, *last, *facts, report))
      incomplete_until = iteration;
    last = facts;
  }
  return incomplete_until;
}

}  // namespace

std::uint32_t compare_files(const VerifiedFiles& files, VerifyReport& report) {
  compare_names(files, report);
  compare_seeds(files, report);
  return find_gaps(files, report);
}

}  // namespace awale::training
