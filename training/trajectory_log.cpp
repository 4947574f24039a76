#include "training/trajectory_log.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "nn/hdf5_rules.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

constexpr const char* kKind = "trajectories";
constexpr const char* kDescription =
    "Games of awale self-play, a row a ply in plies, a row a game in games. Every dataset has a "
    "description; the fields are documented in training/README.md.";

constexpr const char* kSources = "sources";
constexpr const char* kAdjudicatedBy = "adjudicated_by";
constexpr const char* kRelabelledBy = "relabelled_by";
constexpr const char* kGamesBefore = "games_before";

[[noreturn]] void fail(ErrorKind kind, const nn::Hdf5Reader& file, const std::string& problem) {
  throw InputError(kind, "'" + file.path().string() + "': " + problem);
}

bool has_attribute(const nn::Hdf5Reader& file, const std::string& name) {
  const auto names = file.attributes("/");
  return std::find(names.begin(), names.end(), name) != names.end();
}

void store_optional(nn::Hdf5Writer& file, const char* name, const std::string& text) {
  if (!text.empty()) file.attribute("/", name, text);
}

std::string load_optional(const nn::Hdf5Reader& file, const char* name) {
  return has_attribute(file, name) ? file.string_attribute("/", name) : "";
}

void check_header(const nn::Hdf5Reader& file) {
  const std::string kind =
      has_attribute(file, "kind") ? file.string_attribute("/", "kind") : "no kind";
  if (kind != kKind) {
    fail(ErrorKind::kFile, file, "expected kind '" + std::string(kKind) + "', found " + kind);
  }
  const auto version = file.int_attribute("/", "schema_version");
  if (version >= 1 && version <= kTrajectorySchemaVersion) return;
  const bool newer = version > kTrajectorySchemaVersion;
  fail(newer ? ErrorKind::kMismatch : ErrorKind::kFile, file,
       "trajectory schema " + std::to_string(version) + "; this build reads 1 to " +
           std::to_string(kTrajectorySchemaVersion) + (newer ? ", use a newer awale" : ""));
}

std::uint32_t load_iteration(const nn::Hdf5Reader& file, const std::string& group = "/") {
  const auto iteration = file.int_attribute(group, "iteration");
  if (iteration < 0 || iteration > INT32_MAX) {
    fail(ErrorKind::kFile, file, "iteration: found " + std::to_string(iteration));
  }
  return static_cast<std::uint32_t>(iteration);
}

void store_sources(nn::Hdf5Writer& file, std::span<const GameSource> sources) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const std::string group = nn::numbered_group(kSources, i);
    file.attribute(group, "file", sources[i].file);
    file.attribute(group, "seed", sources[i].seed);
    file.attribute(group, "checkpoint", sources[i].checkpoint);
    file.attribute(group, "iteration", std::int64_t{sources[i].iteration});
    file.attribute(group, "git_revision", sources[i].git_revision);
  }
}

}  // namespace

void write_shard(const std::filesystem::path& path, const Provenance& provenance,
                 std::span<const GameRecord> games) {
  AWALE_CHECK(!provenance.rules.empty() && provenance.rules.size() <= kMaxRuleSets,
              provenance.rules.size() << " rule sets");
  AWALE_CHECK(provenance.sources.size() <= kMaxSources, provenance.sources.size() << " sources");
  for (const auto& game : games) {
    AWALE_CHECK(ended(game), "game " << game.game_id << " has not ended");
    AWALE_CHECK(game.rules_index < provenance.rules.size(),
                "game " << game.game_id << " is by rules " << int{game.rules_index} << " of "
                        << provenance.rules.size());
  }
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string(kKind));
  file.attribute("/", "schema_version", kTrajectorySchemaVersion);
  file.attribute("/", "description", std::string(kDescription));
  file.attribute("/", "awale_version", std::string(kVersion));
  file.attribute("/", "git_revision", provenance.git_revision);
  file.attribute("/", "seed", provenance.seed);
  file.attribute("/", "iteration", std::int64_t{provenance.iteration});
  file.attribute("/", "checkpoint", provenance.checkpoint);
  store_optional(file, kAdjudicatedBy, provenance.adjudicated_by);
  store_optional(file, kRelabelledBy, provenance.relabelled_by);
  if (provenance.games_before) file.attribute("/", kGamesBefore, *provenance.games_before);
  nn::store_rule_sets(file, provenance.rules);
  store_sources(file, provenance.sources);
  store_games(file, "/", games);
  file.write(path);
}

Shard read_shard(const std::filesystem::path& path) {
  const nn::Hdf5Reader file(path);
  check_header(file);
  Shard shard;
  shard.provenance.rules = nn::load_rule_sets(file);
  shard.provenance.seed = file.uint_attribute("/", "seed");
  shard.provenance.checkpoint = file.string_attribute("/", "checkpoint");
  shard.provenance.iteration = load_iteration(file);
  shard.provenance.git_revision = file.string_attribute("/", "git_revision");
  shard.provenance.adjudicated_by = load_optional(file, kAdjudicatedBy);
  shard.provenance.relabelled_by = load_optional(file, kRelabelledBy);
  if (has_attribute(file, kGamesBefore)) {
    shard.provenance.games_before = file.uint_attribute("/", kGamesBefore);
  }
  shard.provenance.sources = load_sources(file);
  shard.games = load_games(file, "/", shard.provenance.rules);
  for (const auto& game : shard.games) {
    if (!ended(game)) {
      fail(ErrorKind::kFile, file, "game id " + std::to_string(game.game_id) + " has not ended");
    }
  }
  return shard;
}

std::uint8_t add_rules(std::vector<env::RuleSet>& list, const env::RuleSet& rules) {
  const auto same = [&rules](const env::RuleSet& other) { return other.same_game(rules); };
  const auto found = std::find_if(list.begin(), list.end(), same);
  const auto index = found - list.begin();
  if (found != list.end()) return static_cast<std::uint8_t>(index);
  if (list.size() == kMaxRuleSets) {
    throw InputError(ErrorKind::kMismatch, "games of more than " + std::to_string(kMaxRuleSets) +
                                               " rule sets do not go into one shard");
  }
  list.push_back(rules);
  return static_cast<std::uint8_t>(index);
}

std::vector<GameSource> load_sources(const nn::Hdf5Reader& file) {
  std::vector<GameSource> sources;
  const std::size_t count = file.numbered_groups(kSources);
  for (std::size_t i = 0; i < count; ++i) {
    const std::string group = nn::numbered_group(kSources, i);
    GameSource source;
    source.file = file.string_attribute(group, "file");
    source.seed = file.uint_attribute(group, "seed");
    source.checkpoint = file.string_attribute(group, "checkpoint");
    source.iteration = load_iteration(file, group);
    source.git_revision = file.string_attribute(group, "git_revision");
    sources.push_back(source);
  }
  return sources;
}

}  // namespace awale::training
