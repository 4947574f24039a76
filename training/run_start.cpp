#include "training/run_start.hpp"

#include <algorithm>
#include <cstdio>
#include <utility>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/config_changes.hpp"

namespace awale::training {
namespace {

Checkpoint start_run(const TrainingConfig& config, const ConfigText& text,
                     const RunDir& directory) {
  Checkpoint checkpoint;
  checkpoint.seed = config.run.seed;
  checkpoint.rules = config.rule_sets();
  checkpoint.config = text.reproducible;
  checkpoint.learner = initial_learner_state(config.network, config.run.seed);
  nn::write_file_atomically(directory.config(), text.settings);
  write_checkpoint(directory.checkpoint(0), checkpoint);
  return checkpoint;
}

std::string text_of(const std::filesystem::path& path) {
  const auto bytes = nn::read_file(path);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Shows how the config differs from that of the checkpoint, where it decides the result, and from
// that of the process before, in everything else. Throws for what may not change.
void accept_changes(const Checkpoint& checkpoint, const ConfigText& text, const RunDir& directory) {
  auto changes = config_changes(checkpoint.config, text.reproducible);
  require_allowed(directory.path().string(), changes);
  for (auto& change : config_changes(text_of(directory.config()), text.settings)) {
    const auto same = [&change](const ConfigChange& other) { return other.key == change.key; };
    if (std::none_of(changes.begin(), changes.end(), same)) changes.push_back(std::move(change));
  }
  for (const auto& change : changes) {
    std::fprintf(stderr, "%s: %s -> %s\n", change.key.c_str(), change.before.c_str(),
                 change.now.c_str());
  }
}

// A run writes its first checkpoint before anything else, and keeps it.
void require_no_shards(const RunDir& directory) {
  if (shard_numbers(directory.path() / "shards").empty()) return;
  throw InputError(ErrorKind::kFile,
                   directory.path().string() +
                       ": holds shards, but no checkpoint to go on from; train anew elsewhere");
}

}  // namespace

std::string table_line(const env::EndgameTable& table) {
  return "# table: " + env::describe(table) + "\n";
}

// Shards and metrics later than the newest checkpoint are leftovers of an iteration that did not
// finish and will be written again.
Checkpoint open_run(const TrainingConfig& config, const ConfigText& text, const RunDir& directory,
                    bool resume) {
  const auto iterations =
      resume ? checkpoint_iterations(directory.path()) : std::vector<std::uint32_t>();
  if (iterations.empty()) {
    require_no_shards(directory);
    return start_run(config, text, directory);
  }
  auto checkpoint = read_of_run(directory.path(), [&directory, &iterations] {
    return read_checkpoint(directory.checkpoint(iterations.back()));
  });
  accept_changes(checkpoint, text, directory);
  checkpoint.config = text.reproducible;
  nn::write_file_atomically(directory.config(), text.settings);
  return checkpoint;
}

}  // namespace awale::training
