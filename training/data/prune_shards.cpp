#include "training/data/prune_shards.hpp"

#include <algorithm>
#include <optional>

#include "training/run_dir.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

// The checkpoint that a resume may have to go back to.
std::optional<std::uint32_t> older_checkpoint(const fs::path& directory) {
  const auto iterations = checkpoint_iterations(directory);
  if (iterations.empty()) return std::nullopt;
  return iterations[iterations.size() - std::min<std::size_t>(2, iterations.size())];
}

}  // namespace

std::vector<std::uint32_t> prune_shards(const fs::path& directory, const DataConfig& data,
                                        const LearnerConfig& learner, std::uint64_t seed,
                                        ShardRows& rows) {
  std::vector<std::uint32_t> deleted;
  const auto checkpoint = older_checkpoint(directory);
  if (data.keep_rows == 0 || !checkpoint) return deleted;
  const fs::path shards = directory / "shards";
  auto numbers = shard_numbers(shards);
  std::erase_if(numbers, [&](std::uint32_t number) { return number > *checkpoint; });
  RowCounts kept;
  while (!numbers.empty() &&
         !(kept.total() >= static_cast<std::uint64_t>(data.keep_rows) && fills(kept, learner))) {
    const std::uint32_t number = numbers.back();
    if (rows.count(number) == 0) {
      rows[number] = count_shard_rows(shard_file(shards, number), learner, seed);
    }
    kept = kept + rows[number];
    numbers.pop_back();
  }
  for (const std::uint32_t number : numbers) {
    std::error_code error;
    if (!fs::remove(shard_file(shards, number), error)) break;
    rows.erase(number);
    deleted.push_back(number);
  }
  return deleted;
}

}  // namespace awale::training
