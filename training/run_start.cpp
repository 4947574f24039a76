#include "training/run_start.hpp"

#include <sstream>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"

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

// "'width=256', now 'width=128'": the first line in which two configs differ.
std::string first_difference(const std::string& before, const std::string& now) {
  std::istringstream before_lines(before);
  std::istringstream now_lines(now);
  std::string before_line;
  std::string now_line;
  while (before_line == now_line) {
    const bool more = static_cast<bool>(std::getline(before_lines, before_line));
    if (!std::getline(now_lines, now_line) && !more) break;
  }
  return "'" + before_line + "', now '" + now_line + "'";
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
  if (iterations.empty()) return start_run(config, text, directory);
  const auto path = directory.checkpoint(iterations.back());
  auto checkpoint = read_checkpoint(path);
  if (checkpoint.config != text.reproducible) {
    throw InputError(ErrorKind::kMismatch,
                     path.string() + ": the run's config differs: " +
                         first_difference(checkpoint.config, text.reproducible));
  }
  nn::write_file_atomically(directory.config(), text.settings);
  return checkpoint;
}

}  // namespace awale::training
