#include "training/checkpoint.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "nn/hdf5_rules.hpp"
#include "nn/pretrained.hpp"
#include "training/run_dir.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

constexpr std::int64_t kSchemaVersion = kTrajectorySchemaVersion;  // reads the older ones, too

[[noreturn]] void fail(ErrorKind kind, const std::filesystem::path& path,
                       const std::string& problem) {
  throw InputError(kind, path.string() + ": " + problem);
}

void check_kind(const nn::Hdf5Reader& file) {
  const auto kind = file.string_attribute("/", "kind");
  if (kind != "checkpoint") {
    fail(ErrorKind::kFile, file.path(), "expected a checkpoint, found " + kind);
  }
  const auto version = file.int_attribute("/", "schema_version");
  if (version < 1 || version > kSchemaVersion) {
    fail(ErrorKind::kMismatch, file.path(),
         "checkpoint schema " + std::to_string(version) + "; this build reads 1 to " +
             std::to_string(kSchemaVersion));
  }
}

std::uint64_t counter(const nn::Hdf5Reader& file, const std::string& name) {
  return static_cast<std::uint64_t>(file.int_attribute("/", name));
}

// A run directory stands for its newest checkpoint.
nn::Hdf5Reader open_agent(const std::filesystem::path& path) {
  if (path == nn::kPretrained) return {path, nn::pretrained_file()};
  if (!std::filesystem::is_directory(path)) return nn::Hdf5Reader(path);
  const auto iterations = checkpoint_iterations(path);
  if (iterations.empty()) {
    fail(ErrorKind::kFile, path, "is a directory without checkpoints; expected a run's directory");
  }
  return nn::Hdf5Reader(checkpoint_file(path, iterations.back()));
}

}  // namespace

void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint) {
  nn::Hdf5Writer file;
  file.attribute("/", "kind", std::string("checkpoint"));
  file.attribute("/", "schema_version", kSchemaVersion);
  file.attribute("/", "awale_version", std::string(kVersion));
  file.attribute("/", "git_revision", std::string(kGitRevision));
  file.attribute("/", "seed", static_cast<std::int64_t>(checkpoint.seed));
  file.attribute("/", "iteration", std::int64_t{checkpoint.iteration});
  file.attribute("/", "finished_games", static_cast<std::int64_t>(checkpoint.games));
  file.attribute("/", "rows", static_cast<std::int64_t>(checkpoint.rows));
  file.attribute("/", "learner_steps", static_cast<std::int64_t>(checkpoint.learner.steps));
  file.attribute("/", "config", checkpoint.config);
  nn::store_rule_sets(file, checkpoint.rules);
  nn::store(checkpoint.learner.averaged, file, "network");
  nn::store(checkpoint.learner.weights, file, "learner/weights");
  nn::store(checkpoint.learner.first_moment, file, "learner/first_moment");
  nn::store(checkpoint.learner.second_moment, file, "learner/second_moment");
  store_games(file, "open_games", checkpoint.open_games);
  file.write(path);
}

Checkpoint read_checkpoint(const std::filesystem::path& path) {
  const nn::Hdf5Reader file(path);
  check_kind(file);
  Checkpoint checkpoint;
  checkpoint.seed = counter(file, "seed");
  checkpoint.iteration = static_cast<std::uint32_t>(counter(file, "iteration"));
  checkpoint.games = counter(file, "finished_games");
  checkpoint.rows = counter(file, "rows");
  checkpoint.rules = nn::load_rule_sets(file);
  checkpoint.config = file.string_attribute("/", "config");
  checkpoint.learner.steps = counter(file, "learner_steps");
  checkpoint.learner.averaged = nn::load(file, "network");
  checkpoint.learner.weights = nn::load(file, "learner/weights");
  checkpoint.learner.first_moment = nn::load(file, "learner/first_moment");
  checkpoint.learner.second_moment = nn::load(file, "learner/second_moment");
  checkpoint.open_games = load_games(file, "open_games", checkpoint.rules);
  return checkpoint;
}

Agent load_agent(const std::filesystem::path& path) {
  const nn::Hdf5Reader file = open_agent(path);
  const auto kind = file.string_attribute("/", "kind");
  if (kind != "checkpoint" && kind != "weights") {
    fail(ErrorKind::kFile, file.path(), "expected a checkpoint or exported weights, found " + kind);
  }
  return {nn::load_rule_sets(file), nn::load(file, "network"), file.path()};
}

std::shared_ptr<const nn::NetworkSource> make_network_source(const Agent& agent,
                                                             const nn::EvaluatorConfig& config) {
  return nn::make_network_source(agent.weights, config, agent.rules.front());
}

void require_rules(const Agent& agent, const env::RuleSet& rules) {
  std::string trained;
  for (const auto& known : agent.rules) {
    if (known.same_game(rules)) return;
    // Of many sets the names, all of which `awale rules` explains.
    trained += trained.empty() ? "" : " or ";
    trained += agent.rules.size() == 1 ? env::describe(known) : known.name;
  }
  fail(ErrorKind::kMismatch, agent.path,
       "trained for the rules " + trained + ", but this is a game by " + env::describe(rules));
}

}  // namespace awale::training
