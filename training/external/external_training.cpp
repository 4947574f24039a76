#include "training/external/external_training.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>
#include <utility>

#include "training/adjudication.hpp"
#include "training/external/incoming.hpp"
#include "training/external/polling.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

// Tells whoever looks that nothing comes in, and how to change that; seldom.
class Waiting {
 public:
  Waiting(const RunDir& directory, const TrainingRun& run)
      : directory_(directory),
        run_(run),
        games_before_(run.state().games),
        start_(Clock::now()),
        since_(start_),
        next_line_(kFirstLine) {}

  void pause() {
    const double seconds = seconds_since(since_);
    if (seconds >= next_line_) {
      const auto games = static_cast<double>(run_.state().games - games_before_);
      std::fprintf(stderr,
                   "waiting for games since %s (%.1f games/s so far); to play: awale selfplay "
                   "--follow %s\n",
                   duration_text(seconds).c_str(), games / seconds_since(start_),
                   directory_.path().c_str());
      next_line_ = seconds + kNextLine;
    }
    std::this_thread::sleep_for(kPollInterval);
  }

  void over() {
    since_ = Clock::now();
    next_line_ = kFirstLine;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double kFirstLine = 2;  // seconds
  static constexpr double kNextLine = 60;

  static double seconds_since(Clock::time_point time) {
    return std::chrono::duration<double>(Clock::now() - time).count();
  }

  const RunDir& directory_;
  const TrainingRun& run_;
  std::uint64_t games_before_;  // of earlier processes
  Clock::time_point start_;
  Clock::time_point since_;
  double next_line_;
};

void learn_from(Taken taken, TrainingRun& run, Incoming& incoming) {
  run.add(std::exchange(taken.games, {}));
  // No limit: who plays waits anyway where too much has come in.
  run.learn(UINT64_MAX);
  run.end_iteration({{}, 1, static_cast<int>(taken.files.size())});
  // Games of an earlier process that played itself, for one that will again.
  run.save(run.state().open_games);
  run.wait_for_save();
  incoming.remove(taken);
}

}  // namespace

TrainingSummary run_external_training(const TrainingConfig& config, const ConfigText& text,
                                      const RunDir& directory, bool resume) {
  const auto table = open_table(config.adjudication, config.rules);
  ConfigText own_text = text;
  if (table) own_text.reproducible += table_line(*table);
  const Provenance own{
      config.rule_sets(), config.run.seed, "", 0, kGitRevision, table ? env::describe(*table) : ""};
  Checkpoint checkpoint = open_run(config, own_text, directory, resume);
  take_back(directory.path(), directory.uncounted_shards(checkpoint.iteration));
  TrainingRun run(config, directory, std::move(checkpoint), own.adjudicated_by);
  Incoming incoming(directory.path(), run.state().iteration, own);
  Waiting waiting(directory, run);
  while (!run.complete() && !interrupted()) {
    auto taken = incoming.take();
    if (taken.games.empty()) {
      waiting.pause();
      continue;
    }
    learn_from(std::move(taken), run, incoming);
    waiting.over();
  }
  run.close();
  return run.summary();
}

}  // namespace awale::training
