#include "training/data/verified_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>
#include <utility>

#include "env/error.hpp"
#include "nn/hdf5_file.hpp"
#include "training/checkpoint.hpp"
#include "training/format_text.hpp"
#include "training/game_statistics.hpp"
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

class FilesReader {
 public:
  FilesReader(VerifiedFiles& result, VerifyReport& report) : result_(result), report_(report) {}

  void read(const fs::path& file) {
    try {
      // In a run's folder of shards nothing else will do.
      const bool among_shards = result_.files.run && file.parent_path().filename() == "shards";
      const bool checkpoint = !among_shards && is_checkpoint(file);
      checkpoint ? read_one_checkpoint(file) : read_one_shard(file);
    } catch (const InputError& error) {
      if (error.kind() == ErrorKind::kMismatch) {
        report_.contradictions.emplace_back(error.what());
      } else {
        report_.damaged.push_back({file, error.what(), {}});
      }
      result_.unread.insert(file);
    }
  }

 private:
  void read_one_shard(const fs::path& file) {
    const Shard shard = read_shard(file);
    FileFacts facts;
    facts.file = file;
    facts.seed = shard.provenance.seed;
    facts.iteration = shard.provenance.iteration;
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
    facts.games = checkpoint.games;
    result_.learner = learner_of(checkpoint.config);
    result_.sound.push_back(std::make_unique<FileFacts>(facts));
    ++report_.checkpoints;
  }

  VerifiedFiles& result_;
  VerifyReport& report_;
  GamesSeen seen_;
  std::set<std::pair<const FileFacts*, const FileFacts*>> repeated_;
};

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
