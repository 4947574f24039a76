#include "training/data/compare_files.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

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

// Goes through a run's games in the order in which they were finished, and finds where a file
// counts others before it than there are.
class GamesCount {
 public:
  // With `pruned` the oldest shards may have been deleted.
  GamesCount(fs::path run, bool pruned, VerifyReport& report)
      : run_(std::move(run)), begun_(!pruned), report_(report) {}

  // Of `facts`, null where it is damaged: how many games it holds is then not known.
  void add_shard(std::uint32_t iteration, const FileFacts* facts) {
    if (!begun_) games_.reset();
    begun_ = true;
    if (facts != nullptr && facts->games_before) expect(*facts->games_before, iteration - 1);
    if (facts == nullptr) games_.reset();
    if (games_) *games_ += facts->games;
    complete_until_ = iteration;
  }

  void add_checkpoint(const FileFacts& facts) {
    if (begun_) expect(*facts.games_before, facts.iteration);
    complete_until_ = facts.iteration;
  }

  const std::vector<Gap>& gaps() const { return gaps_; }

 private:
  // So many games in the shards up to `iteration`.
  void expect(std::uint64_t games, std::uint32_t iteration) {
    if (games_ && *games_ != games) {
      const Gap gap{std::min(complete_until_, iteration - 1), iteration};
      gaps_.push_back(gap);
      report_.contradictions.push_back(
          quoted(run_) + ": expected " + std::to_string(games) +
          " games in the shards up to iteration " + std::to_string(iteration) + ", found " +
          std::to_string(*games_) + ": those of iterations " + std::to_string(gap.after + 1) +
          " to " + std::to_string(gap.until) + " are missing or others");
    }
    games_ = games;
  }

  fs::path run_;
  bool begun_;
  VerifyReport& report_;
  std::optional<std::uint64_t> games_ = 0;  // finished so far, as far as that is known
  std::uint32_t complete_until_ = 0;        // the iteration that `games_` is of
  std::vector<Gap> gaps_;
};

std::vector<Gap> find_gaps(const VerifiedFiles& files, VerifyReport& report) {
  std::set<std::uint32_t> shards;
  for (const auto& file : files.files.shards) {
    if (const auto number = file_number(file).value_or(0)) shards.insert(number);
  }
  std::map<std::uint32_t, const FileFacts*> checkpoints;
  for (const auto& facts : files.sound) {
    if (facts->checkpoint) checkpoints[facts->iteration] = facts.get();
  }
  GamesCount count(files.files.path, deletes_shards(files.files), report);
  auto checkpoint = checkpoints.begin();
  const auto add_checkpoints_before = [&](std::uint32_t iteration) {
    for (; checkpoint != checkpoints.end() && checkpoint->first < iteration; ++checkpoint)
      count.add_checkpoint(*checkpoint->second);
  };
  for (const std::uint32_t shard : shards) {
    add_checkpoints_before(shard);
    count.add_shard(shard, files.sound_shard(shard));
  }
  add_checkpoints_before(UINT32_MAX);
  return count.gaps();
}

}  // namespace

std::vector<Gap> compare_files(const VerifiedFiles& files, VerifyReport& report) {
  compare_names(files, report);
  compare_seeds(files, report);
  return files.files.run ? find_gaps(files, report) : std::vector<Gap>();
}

}  // namespace awale::training
