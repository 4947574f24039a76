#include "training/data/verify.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/hdf5_file.hpp"
#include "training/checkpoint.hpp"
#include "training/data/data_files.hpp"
#include "training/data/row_counts.hpp"
#include "training/format_text.hpp"
#include "training/game_statistics.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostListed = 5;  // contradictions of one kind

// What a sound file says of itself.
struct Facts {
  fs::path file;
  bool checkpoint = false;
  std::uint64_t seed = 0;
  std::uint32_t iteration = 0;
  std::uint64_t games = 0;  // of a shard: in it; of a checkpoint: finished so far
  RowCounts rows;           // of a shard
};

// Where each game has been seen, by seed and id, through all shards of a directory; in merged ones,
// where runs of one seed may meet, by its course, too.
using GamesSeen = std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, const Facts*>;

// The number at `key` of a resolved config, `otherwise` if it is not there.
double config_number(const std::string& config, const std::string& key, double otherwise) {
  std::string line = "\n";
  line += key + " = ";
  const auto at = config.find(line);
  return at == std::string::npos ? otherwise
                                 : std::strtod(config.c_str() + at + line.size(), nullptr);
}

// Of the learner what decides which rows it needs to go on.
LearnerConfig learner_of(const std::string& config) {
  LearnerConfig learner;
  learner.window_rows = static_cast<int>(config_number(config, "window_rows", learner.window_rows));
  learner.validation_rows =
      static_cast<int>(config_number(config, "validation_rows", learner.validation_rows));
  learner.validation_share = config_number(config, "validation_share", learner.validation_share);
  return learner;
}

bool is_checkpoint(const fs::path& file) {
  const nn::Hdf5Reader reader(file);
  const auto names = reader.attributes("/");
  return std::find(names.begin(), names.end(), "kind") != names.end() &&
         reader.string_attribute("/", "kind") == "checkpoint";
}

// Files of one directory or run, or those that were named one by one.
class Group {
 public:
  Group(DataFiles files, VerifyReport& report) : files_(std::move(files)), report_(report) {}

  void read_all(const std::function<void()>& on_file) {
    // Checkpoints first: they say what the learner needs.
    for (const auto* list : {&files_.checkpoints, &files_.shards}) {
      for (const auto& file : *list) {
        read(file);
        on_file();
      }
    }
  }

  void compare() {
    const bool one_by_one = files_.path.empty();
    if (one_by_one) return;
    compare_names();
    compare_seeds();
    find_gaps();
  }

  // Moves what is damaged away, and of a run the checkpoints that it cannot go on from.
  void set_aside() {
    for (auto& damaged : report_.damaged) {
      if (mine(damaged.file)) damaged.set_aside = move_aside(damaged.file);
    }
    if (files_.run && any_damaged()) {
      const auto start = resume_point();
      for (const auto& facts : sound_) {
        if (facts->checkpoint && (!start || facts->iteration > *start)) move_aside(facts->file);
      }
    }
    for (const auto& leftover : files_.leftovers) {
      std::error_code ignored;  // it costs space, nothing else
      fs::remove(leftover, ignored);
    }
  }

  void advise(bool set_aside) {
    if (!files_.run || !any_damaged()) return;
    const std::string run = files_.path.string();
    const auto start = resume_point();
    if (!start) {
      report_.go_on.push_back(run + ": no checkpoint is left that it can go on from; its shards " +
                              "remain, train anew elsewhere");
      return;
    }
    std::string text = run + ": ";
    if (!set_aside) text += "after --set-aside ";
    text += "`awale train --run " + run + " --resume` goes on from checkpoint " +
            std::to_string(*start) + "; ";
    const std::uint32_t newest = newest_checkpoint();
    if (newest == *start) {
      text += "what is damaged is not needed for it";
    } else {
      text += "iterations " + std::to_string(*start + 1) + " to " + std::to_string(newest) +
              " are played again";
    }
    report_.go_on.push_back(text);
  }

 private:
  void read(const fs::path& file) {
    try {
      // In a run's folder of shards nothing else will do.
      const bool among_shards = files_.run && file.parent_path().filename() == "shards";
      const bool checkpoint = !among_shards && is_checkpoint(file);
      checkpoint ? read_one_checkpoint(file) : read_one_shard(file);
    } catch (const InputError& error) {
      if (error.kind() == ErrorKind::kMismatch) {
        report_.contradictions.emplace_back(error.what());
      } else {
        report_.damaged.push_back({file, error.what(), {}});
      }
      unread_.insert(file);
    }
  }

  void read_one_shard(const fs::path& file) {
    const Shard shard = read_shard(file);
    Facts facts;
    facts.file = file;
    facts.seed = shard.provenance.seed;
    facts.iteration = shard.provenance.iteration;
    facts.games = shard.games.size();
    facts.rows = count_rows(shard.games, learner_, facts.seed);
    sound_.push_back(std::make_unique<Facts>(facts));
    ++report_.shards;
    report_.games += shard.games.size();
    for (const auto& game : shard.games) {
      report_.plies += game.plies.size();
      const auto& sources = shard.provenance.sources;
      const auto seed = sources.empty() ? facts.seed : sources[game.source_index].seed;
      note_game({seed, game.game_id, sources.empty() ? 0 : hash_course(game)}, *sound_.back());
    }
  }

  // Repeated games of one pair of files are one finding.
  void note_game(const GamesSeen::key_type& game, const Facts& facts) {
    const auto [seen, is_new] = seen_.insert({game, &facts});
    if (is_new || !repeated_.insert({seen->second, &facts}).second) return;
    contradict(quoted(facts.file) + ": game id " + std::to_string(std::get<1>(game)) + " of seed " +
               std::to_string(std::get<0>(game)) + " stands in " + quoted(seen->second->file) +
               ", too");
  }

  void read_one_checkpoint(const fs::path& file) {
    const Checkpoint checkpoint = read_checkpoint(file);
    Facts facts;
    facts.file = file;
    facts.checkpoint = true;
    facts.seed = checkpoint.seed;
    facts.iteration = checkpoint.iteration;
    facts.games = checkpoint.games;
    learner_ = learner_of(checkpoint.config);
    sound_.push_back(std::make_unique<Facts>(facts));
    ++report_.checkpoints;
  }

  void contradict(const std::string& text) { report_.contradictions.push_back(text); }

  void compare_names() {
    for (const auto& facts : sound_) {
      const auto number = file_number(facts->file);
      if (!number || *number == facts->iteration) continue;
      contradict(quoted(facts->file) + ": expected iteration " + std::to_string(*number) +
                 " as its name says, found " + std::to_string(facts->iteration));
    }
  }

  void compare_seeds() {
    std::size_t listed = 0;
    for (const auto& facts : sound_) {
      const Facts& first = *sound_.front();
      if (facts->seed == first.seed || ++listed > kMostListed) continue;
      contradict(quoted(facts->file) + ": expected seed " + std::to_string(first.seed) + " as in " +
                 quoted(first.file) + ", found " + std::to_string(facts->seed));
    }
  }

  // A checkpoint knows how many games have been finished. Those between two checkpoints must be in
  // the shards between them, unless one is damaged or a run has deleted its oldest shards.
  void find_gaps() {
    std::map<std::uint32_t, const Facts*> checkpoints;
    for (const auto& facts : sound_) {
      if (facts->checkpoint) checkpoints[facts->iteration] = facts.get();
    }
    const Facts* last = nullptr;
    for (const auto& [iteration, facts] : checkpoints) {
      if (last != nullptr) compare_games(*last, *facts);
      last = facts;
    }
  }

  void compare_games(const Facts& last, const Facts& next) {
    std::uint64_t games = 0;
    bool older = false;  // whether there are shards of before
    for (const auto& file : files_.shards) {
      const std::uint32_t number = file_number(file).value_or(0);
      if (number > 0 && number <= last.iteration) older = true;
      if (number <= last.iteration || number > next.iteration) continue;
      const Facts* shard = sound_shard(number);
      if (shard == nullptr) return;  // damaged, which is said elsewhere
      games += shard->games;
    }
    const std::uint64_t expected = next.games - last.games;
    const bool pruned = games < expected && !older && deletes_shards();
    if (games == expected || pruned) return;
    incomplete_until_ = std::max(incomplete_until_, next.iteration);
    contradict(quoted(files_.path) + ": expected " + std::to_string(expected) +
               " games in the shards of iterations " + std::to_string(last.iteration + 1) + " to " +
               std::to_string(next.iteration) + " as the checkpoints count, found " +
               std::to_string(games));
  }

  std::uint32_t newest_checkpoint() const {
    std::uint32_t newest = 0;
    for (const auto& file : files_.checkpoints)
      newest = std::max(newest, file_number(file).value_or(0));
    return newest;
  }

  const Facts* sound_shard(std::uint32_t iteration) const {
    for (const auto& facts : sound_) {
      if (!facts->checkpoint && facts->iteration == iteration) return facts.get();
    }
    return nullptr;
  }

  // Whether the run's own config says so.
  bool deletes_shards() const {
    const fs::path config = files_.path / "config.toml";
    if (!files_.run || !fs::exists(config)) return false;
    const auto bytes = nn::read_file(config);
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return config_number(text, "keep_rows", 0) > 0;
  }

  // Whether all shards that the learner goes on with after this checkpoint are sound and there.
  bool can_resume(const Facts& checkpoint) const {
    RowCounts rows;
    for (auto file = files_.shards.rbegin(); file != files_.shards.rend(); ++file) {
      const std::uint32_t number = file_number(*file).value_or(0);
      if (number == 0 || number > checkpoint.iteration) continue;
      if (fills(rows, learner_)) return true;
      const Facts* shard = sound_shard(number);
      if (shard == nullptr || number <= incomplete_until_) return false;
      rows = rows + shard->rows;
    }
    return fills(rows, learner_) || incomplete_until_ == 0 ||
           checkpoint.iteration < incomplete_until_;
  }

  std::optional<std::uint32_t> resume_point() const {
    std::optional<std::uint32_t> newest;
    for (const auto& facts : sound_) {
      if (!facts->checkpoint || !can_resume(*facts)) continue;
      newest = std::max(newest.value_or(0), facts->iteration);
    }
    return newest;
  }

  bool mine(const fs::path& file) const { return unread_.count(file) > 0; }
  bool any_damaged() const {
    return std::any_of(report_.damaged.begin(), report_.damaged.end(),
                       [this](const DamagedFile& damaged) { return mine(damaged.file); });
  }

  // Never over a file that lies there already.
  static fs::path move_aside(const fs::path& file) {
    const fs::path directory = file.parent_path() / "damaged";
    std::error_code error;
    fs::create_directory(directory, error);
    fs::path target = directory / file.filename();
    for (int i = 2; fs::exists(target); ++i)
      target = directory / (file.filename().string() + "." + std::to_string(i));
    if (!error) fs::rename(file, target, error);
    if (!error) return target;
    throw InputError(ErrorKind::kWrite, "cannot move " + quoted(file) + " to " + quoted(target) +
                                            ": " + error.message());
  }

  DataFiles files_;
  VerifyReport& report_;
  std::vector<std::unique_ptr<Facts>> sound_;
  std::set<fs::path> unread_;           // damaged or of a newer program
  LearnerConfig learner_;               // of the newest sound checkpoint
  std::uint32_t incomplete_until_ = 0;  // games of shards up to this one are missing
  GamesSeen seen_;
  std::set<std::pair<const Facts*, const Facts*>> repeated_;
};

// Directories and runs each for themselves, files that were named one by one together.
std::vector<DataFiles> groups_of(std::span<const std::string> paths) {
  std::vector<DataFiles> groups;
  DataFiles one_by_one;
  for (const auto& path : paths) {
    auto found = find_data(path);
    if (fs::is_directory(path)) {
      groups.push_back(std::move(found));
    } else {
      one_by_one.shards.push_back(path);
    }
  }
  if (!one_by_one.shards.empty()) groups.push_back(std::move(one_by_one));
  return groups;
}

}  // namespace

std::size_t count_files(std::span<const std::string> paths) {
  std::size_t files = 0;
  for (const auto& group : groups_of(paths))
    files += group.shards.size() + group.checkpoints.size();
  return files;
}

VerifyReport verify_data(std::span<const std::string> paths, bool set_aside,
                         const std::function<void()>& on_file) {
  VerifyReport report;
  for (const auto& files : groups_of(paths)) {
    std::optional<RunLock> lock;
    if (set_aside && files.run) lock.emplace(files.path);
    report.leftovers.insert(report.leftovers.end(), files.leftovers.begin(), files.leftovers.end());
    Group group(files, report);
    group.read_all(on_file);
    group.compare();
    group.advise(set_aside);
    if (set_aside) group.set_aside();
  }
  return report;
}

nlohmann::ordered_json to_json(const VerifyReport& report) {
  nlohmann::ordered_json json = {{"sound", report.sound()},
                                 {"shards", report.shards},
                                 {"checkpoints", report.checkpoints},
                                 {"games", report.games},
                                 {"plies", report.plies},
                                 {"damaged", nlohmann::ordered_json::array()},
                                 {"contradictions", report.contradictions},
                                 {"leftovers", nlohmann::ordered_json::array()},
                                 {"go_on", report.go_on}};
  for (const auto& damaged : report.damaged) {
    json["damaged"].push_back({{"file", damaged.file.string()},
                               {"problem", damaged.problem},
                               {"set_aside", damaged.set_aside.string()}});
  }
  for (const auto& leftover : report.leftovers)
    json["leftovers"].push_back(leftover.string());
  return json;
}

std::string to_text(const VerifyReport& report) {
  std::string text;
  for (const auto& damaged : report.damaged) {
    text += "damaged: " + damaged.problem + "\n";
    if (!damaged.set_aside.empty()) text += "  moved to " + damaged.set_aside.string() + "\n";
  }
  for (const auto& contradiction : report.contradictions)
    text += "contradiction: " + contradiction + "\n";
  for (const auto& leftover : report.leftovers)
    text += "leftover of a killed writer: " + leftover.string() + "\n";
  for (const auto& line : report.go_on)
    text += "go on: " + line + "\n";
  text += "sound: " + count_text(report.shards, "shard") + " with " +
          count_text(report.games, "game") + " and " + count_text(report.plies, "ply", "plies") +
          ", " + count_text(report.checkpoints, "checkpoint") + "\n";
  if (report.damaged.empty() && report.contradictions.empty()) return text;
  return text + "damaged: " + count_text(report.damaged.size(), "file") +
         "; contradictions: " + std::to_string(report.contradictions.size()) + "\n";
}

}  // namespace awale::training
