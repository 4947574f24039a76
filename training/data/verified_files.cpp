#include "training/data/verified_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <type_traits>
#include <utility>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "training/checkpoint.hpp"
#include "training/format_text.hpp"
#include "training/game_statistics.hpp"
#include "training/learning.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

namespace fs = std::filesystem;

// Where each game has been seen, by seed and id, through all shards of a directory; in merged ones,
// where runs of one seed may meet, by its course, too.
using GamesSeen =
    std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, const FileFacts*>;

// Of the learner what decides which rows it needs to go on.
LearnerConfig learner_of(const std::string& config) {
  LearnerConfig learner;
  const auto set = [&config](const char* key, auto& value) {
    value = static_cast<std::decay_t<decltype(value)>>(config_number(config, key, value));
  };
  set("batch_rows", learner.batch_rows);
  set("warmup_rows", learner.warmup_rows);
  set("window_rows", learner.window_rows);
  set("window_first_rows", learner.window_first_rows);
  set("window_exponent", learner.window_exponent);
  set("surprise_share", learner.surprise_share);
  set("validation_rows", learner.validation_rows);
  set("validation_share", learner.validation_share);
  return learner;
}

// What a file of ours says that it is, "" for any other.
std::string kind_of(const fs::path& file) {
  const nn::Hdf5Reader reader(file);
  const auto names = reader.attributes("/");
  const bool ours = std::find(names.begin(), names.end(), "kind") != names.end();
  return ours ? reader.string_attribute("/", "kind") : "";
}

class FilesReader {
 public:
  FilesReader(VerifiedFiles& result, VerifyReport& report) : result_(result), report_(report) {}

  void read(const fs::path& file) {
    try {
      if (!read_unless_deleted(file, [&] { read_by_kind(file); })) deleted_.insert(file);
    } catch (const InputError& error) {
      if (error.kind() == ErrorKind::kMismatch) {
        report_.contradictions.emplace_back(error.what());
      } else {
        report_.damaged.push_back({file, error.what(), {}});
      }
      result_.unread.insert(file);
    }
  }

  const std::set<fs::path>& deleted() const { return deleted_; }

 private:
  void read_by_kind(const fs::path& file) {
    const std::string kind = kind_of(file);
    const bool run = result_.files.run;
    // A run cannot go on with a file of another kind, which is then as good as damaged.
    const bool among_shards = run && file.parent_path().filename() == "shards";
    if (kind == "checkpoint" && !among_shards) {
      read_one_checkpoint(file);
    } else if (run || kind.empty() || kind == "trajectories") {
      read_one_shard(file);
    } else {
      throw InputError(
          ErrorKind::kMismatch,
          quoted(file) + ": expected a shard or checkpoint, found kind '" + kind + "'");
    }
  }

  void read_one_shard(const fs::path& file) {
    const Shard shard = read_shard(file);
    FileFacts facts;
    facts.file = file;
    facts.seed = shard.provenance.seed;
    facts.iteration = shard.provenance.iteration;
    facts.games_before = shard.provenance.games_before;
    facts.games = shard.games.size();
    facts.rows = count_rows(shard.games, result_.learner, facts.seed);
    result_.sound.push_back(std::make_unique<FileFacts>(facts));
    ++report_.shards;
    report_.games += shard.games.size();
    for (const auto& game : shard.games) {
      report_.plies += game.plies.size();
      const auto& sources = shard.provenance.sources;
      const auto seed = sources.empty() ? facts.seed : sources[game.source_index].seed;
      note_game({seed, game.game_id, sources.empty() ? 0 : hash_course(game)},
                *result_.sound.back());
    }
  }

  // Repeated games of one pair of files are one finding.
  void note_game(const GamesSeen::key_type& game, const FileFacts& facts) {
    const auto [seen, is_new] = seen_.insert({game, &facts});
    if (is_new || !repeated_.insert({seen->second, &facts}).second) return;
    report_.contradictions.push_back(
        quoted(facts.file) + ": game id " + std::to_string(std::get<1>(game)) + " of seed " +
        std::to_string(std::get<0>(game)) + " stands in " + quoted(seen->second->file) + ", too");
  }

  void read_one_checkpoint(const fs::path& file) {
    const Checkpoint checkpoint = read_checkpoint(file);
    FileFacts facts;
    facts.file = file;
    facts.checkpoint = true;
    facts.seed = checkpoint.seed;
    facts.iteration = checkpoint.iteration;
    facts.games_before = checkpoint.games;
    result_.learner = learner_of(checkpoint.config);
    facts.needed = window_rows(result_.learner, checkpoint.rows);
    result_.sound.push_back(std::make_unique<FileFacts>(facts));
    ++report_.checkpoints;
  }

  VerifiedFiles& result_;
  VerifyReport& report_;
  GamesSeen seen_;
  std::set<std::pair<const FileFacts*, const FileFacts*>> repeated_;
  std::set<fs::path> deleted_;  // since they were listed
};

// A run in training deletes checkpoints, and its oldest shards.
void forget(VerifiedFiles& result, const std::set<fs::path>& deleted) {
  const auto gone = [&deleted](const fs::path& file) { return deleted.contains(file); };
  std::erase_if(result.files.checkpoints, gone);
  auto& shards = result.files.shards;
  const auto last = std::find_if(shards.rbegin(), shards.rend(), gone).base();
  if (last == shards.begin()) return;
  const std::set<fs::path> older(shards.begin(), last);  // those that had been read before, too
  std::erase_if(result.sound, [&](const auto& facts) { return older.contains(facts->file); });
  shards.erase(shards.begin(), last);
}

}  // namespace

const FileFacts* VerifiedFiles::sound_shard(std::uint32_t iteration) const {
  for (const auto& facts : sound) {
    if (!facts->checkpoint && facts->iteration == iteration) return facts.get();
  }
  return nullptr;
}

std::uint32_t VerifiedFiles::newest_checkpoint() const {
  std::uint32_t newest = 0;
  for (const auto& file : files.checkpoints)
    newest = std::max(newest, file_number(file).value_or(0));
  return newest;
}

bool VerifiedFiles::any_damaged(const VerifyReport& report) const {
  return std::any_of(report.damaged.begin(), report.damaged.end(),
                     [this](const DamagedFile& damaged) { return unread.contains(damaged.file); });
}

VerifiedFiles read_all(DataFiles files, VerifyReport& report,
                       const std::function<void()>& on_file) {
  VerifiedFiles result;
  result.files = std::move(files);
  FilesReader reader(result, report);
  // Checkpoints first: they say what the learner needs.
  for (const auto* list : {&result.files.checkpoints, &result.files.shards}) {
    for (const auto& file : *list) {
      reader.read(file);
      on_file();
    }
  }
  forget(result, reader.deleted());
  return result;
}

double config_number(const std::string& config, const std::string& key, double otherwise) {
  std::string line = "\n";
  line += key + " = ";
  const auto at = config.find(line);
  return at == std::string::npos ? otherwise
                                 : std::strtod(config.c_str() + at + line.size(), nullptr);
}

}  // namespace awale::training
