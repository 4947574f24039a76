#include "training/trajectory_log.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

constexpr const char* kKind = "trajectories";
constexpr const char* kDescription =
    "Games of awale self-play, a row a ply in plies, a row a game in games. Every dataset has a "
    "description; the fields are documented in training/README.md.";

[[noreturn]] void fail(ErrorKind kind, const nn::Hdf5Reader& file, const std::string& problem) {
  throw InputError(kind, "'" + file.path().string() + "': " + problem);
}

void check_header(const nn::Hdf5Reader& file) {
  const auto names = file.attributes("/");
  const bool has_kind = std::find(names.begin(), names.end(), "kind") != names.end();
  const std::string kind = has_kind ? file.string_attribute("/", "kind") : "no kind";
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

std::uint32_t load_iteration(const nn::Hdf5Reader& file) {
  const auto iteration = file.int_attribute("/", "iteration");
  if (iteration < 0 || iteration > INT32_MAX) {
    fail(ErrorKind::kFile, file, "iteration: found " + std::to_string(iteration));
  }
  return static_cast<std::uint32_t>(iteration);
}

}  // namespace

void write_shard(const std::filesystem::path& path, const Provenance& provenance,
                 std::span<const GameRecord> games) {
  for (const auto& game : games) {
    AWALE_CHECK(game.outcome.reason != env::EndReason::kNone,
                "game " << game.game_id << " has not ended");
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
  store_rules(file, provenance.rules);
  store_games(file, "/", games);
  file.write(path);
}

Shard read_shard(const std::filesystem::path& path) {
  const nn::Hdf5Reader file(path);
  check_header(file);
  Shard shard;
  shard.provenance.rules = load_rules(file);
  shard.provenance.seed = file.uint_attribute("/", "seed");
  shard.provenance.checkpoint = file.string_attribute("/", "checkpoint");
  shard.provenance.iteration = load_iteration(file);
  shard.provenance.git_revision = file.string_attribute("/", "git_revision");
  shard.games = load_games(file, "/", shard.provenance.rules);
  for (const auto& game : shard.games) {
    if (game.outcome.reason == env::EndReason::kNone) {
      fail(ErrorKind::kFile, file, "game id " + std::to_string(game.game_id) + " has not ended");
    }
  }
  return shard;
}

void store_rules(nn::Hdf5Writer& file, const env::RuleSet& rules) {
  for (const auto& [key, value] : env::to_key_values(rules))
    file.attribute("rules", key, value);
}

env::RuleSet load_rules(const nn::Hdf5Reader& file) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, value] : env::to_key_values(env::RuleSet{})) {
    values.emplace_back(key, file.string_attribute("rules", key));
  }
  // A parameter more is a game that this build does not know.
  for (const auto& name : file.attributes("rules")) {
    const auto is_it = [&name](const auto& entry) { return entry.first == name; };
    if (std::none_of(values.begin(), values.end(), is_it)) {
      fail(ErrorKind::kMismatch, file, "rules@" + name + ": no such rule parameter in this build");
    }
  }
  try {
    auto rules = env::from_key_values(env::RuleSet{}, values);
    rules.validate();
    return rules;
  } catch (const InputError& error) {
    fail(ErrorKind::kFile, file, error.what());
  }
}

}  // namespace awale::training
