#include "training/external/incoming.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "training/format_text.hpp"
#include "training/run_dir.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

// Nobody writes a shard for so long: what is older has been left by a killed process.
constexpr std::chrono::hours kLeftoverAge{1};

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) {
    throw InputError(ErrorKind::kWrite, path.string() + ": cannot create: " + error.message());
  }
}

void delete_file(const fs::path& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) {
    throw InputError(ErrorKind::kWrite, path.string() + ": cannot remove: " + error.message());
  }
}

// Why games do not belong to a run, "" if they do.
std::string foreign(const Provenance& found, const Provenance& own) {
  if (found.seed != own.seed) {
    return format_text("expected seed %llu, found %llu", static_cast<unsigned long long>(own.seed),
                       static_cast<unsigned long long>(found.seed));
  }
  const bool same_rules = std::equal(
      found.rules.begin(), found.rules.end(), own.rules.begin(), own.rules.end(),
      [](const env::RuleSet& left, const env::RuleSet& right) { return left.same_game(right); });
  if (!same_rules) return "games by other rules than the run's";
  if (found.adjudicated_by != own.adjudicated_by) return "games ended by another endgame table";
  return "";
}

}  // namespace

bool GameIds::insert(std::uint64_t id) {
  auto& block = blocks_[id / 64];
  const std::uint64_t bit = std::uint64_t{1} << (id % 64);
  return (std::exchange(block, block | bit) & bit) == 0;
}

bool GameIds::contains(std::uint64_t id) const {
  const auto block = blocks_.find(id / 64);
  return block != blocks_.end() && ((block->second >> (id % 64)) & 1) != 0;
}

std::vector<fs::path> incoming_shards(const fs::path& run) {
  std::vector<fs::path> files;
  std::error_code ignored;  // none where there is no folder
  for (const auto& entry : fs::directory_iterator(run / "incoming", ignored)) {
    const bool hidden = entry.path().filename().string().front() == '.';
    if (!hidden && entry.path().extension() == ".h5") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void hand_over(const fs::path& run, std::uint32_t worker, std::uint32_t number,
               const Provenance& provenance, std::span<const GameRecord> games) {
  write_shard(run / "incoming" / format_text("%06u-%06u.h5", worker, number), provenance, games);
}

void take_back(const fs::path& run, std::span<const fs::path> uncounted_shards) {
  if (uncounted_shards.empty()) return;
  make_folder(run / "incoming");
  for (const auto& shard : uncounted_shards)
    fs::rename(shard, run / "incoming" / ("uncounted-" + shard.filename().string()));
}

Incoming::Incoming(fs::path run, std::uint32_t iteration, Provenance own)
    : run_(std::move(run)), own_(std::move(own)) {
  make_folder(run_ / "incoming");
  remove_leftovers();
  know_counted_games(iteration);
}

// A game that iteration i has finished is in a shard of i or later, so only those from the oldest
// that waits need a look.
void Incoming::know_counted_games(std::uint32_t iteration) {
  // Of all shards: the learner may have gone back to an older checkpoint than the games in
  // `incoming` were played with. Their ids alone, which is quick.
  for (const std::uint32_t number : shard_numbers(run_ / "shards")) {
    if (number > iteration) continue;
    const nn::Hdf5Reader shard(shard_file(run_ / "shards", number));
    for (const auto id : shard.dataset<std::uint64_t>("games/game_id").values)
      known_.insert(id);
  }
}

void Incoming::remove_leftovers() const {
  std::error_code ignored;  // they cost space, nothing else
  for (const auto& entry : fs::directory_iterator(run_ / "incoming", ignored)) {
    const bool temporary = entry.path().filename().string().find(".tmp-") != std::string::npos;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(ignored);
    if (temporary && age > kLeftoverAge) fs::remove(entry.path(), ignored);
  }
}

bool Incoming::read(const fs::path& file, Shard& shard) {
  try {
    shard = read_shard(file);
  } catch (const InputError& error) {
    put_aside(file, error.what());
    return false;
  }
  const std::string reason = foreign(shard.provenance, own_);
  if (!reason.empty()) put_aside(file, reason);
  return reason.empty();
}

void Incoming::put_aside(const fs::path& file, const std::string& reason) const {
  make_folder(run_ / "damaged");
  const auto target = run_ / "damaged" / file.filename();
  std::error_code error;
  fs::rename(file, target, error);
  if (error) {
    throw InputError(ErrorKind::kWrite, file.string() + ": cannot move: " + error.message());
  }
  std::fprintf(stderr, "warning: put aside %s: %s\n", target.c_str(), reason.c_str());
}

Taken Incoming::take() {
  Taken taken;
  for (const auto& file : incoming_shards(run_)) {
    Shard shard;
    if (!read(file, shard)) continue;
    const auto before = taken.games.size();
    for (auto& game : shard.games) {
      if (known_.insert(game.game_id)) taken.games.push_back(std::move(game));
    }
    if (taken.games.size() > before) {
      taken.files.push_back(file);
    } else {
      delete_file(file);
    }
  }
  return taken;
}

void Incoming::remove(const Taken& taken) {
  for (const auto& file : taken.files)
    delete_file(file);
}

}  // namespace awale::training
