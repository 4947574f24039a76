#include "training/pipeline.hpp"

#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <utility>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/checkpoint_grader.hpp"
#include "training/interrupt.hpp"
#include "training/iteration_report.hpp"
#include "training/learning.hpp"
#include "training/metrics.hpp"
#include "training/replay_buffer.hpp"
#include "training/run_clock.hpp"
#include "training/self_play.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

Checkpoint start_run(const TrainingConfig& config, const ConfigText& text,
                     const RunDir& directory) {
  Checkpoint checkpoint;
  checkpoint.seed = config.run.seed;
  checkpoint.rules = config.rules;
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

// The newest checkpoint, or the beginning if the run was killed before its first. Later shards and
// metrics are leftovers of an iteration that did not finish and will be written again.
Checkpoint resume_run(const TrainingConfig& config, const ConfigText& text,
                      const RunDir& directory) {
  const auto iterations = checkpoint_iterations(directory.path());
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

class Pipeline {
 public:
  Pipeline(const TrainingConfig& config, const RunDir& directory, Checkpoint checkpoint,
           std::shared_ptr<const env::EndgameTable> table)
      : config_(config),
        directory_(directory),
        state_(std::move(checkpoint)),
        first_iteration_(state_.iteration),
        clock_(config.run, rewind_metrics(directory.metrics(), state_.iteration)),
        table_(std::move(table)),
        self_play_({config.self_play, config.rules, config.search, config.run.seed, UINT64_MAX,
                    table_, config.adjudication.play_out_share}),
        learner_(config.learner, config.rules, state_.learner),
        buffer_(static_cast<std::size_t>(config.learner.window_rows)),
        grader_(config) {
    self_play_.restore(state_.open_games);
    refill_buffer();
    grade_what_is_missing();
  }

  bool complete() const { return clock_.progress(state_.iteration) >= 1; }

  void iterate() {
    const auto begin = std::chrono::steady_clock::now();
    const auto stats_before = self_play_.stats();
    const std::uint32_t iteration = state_.iteration + 1;
    const auto network = nn::make_network_source(learner_.averaged(), config_.evaluator);
    tell_evaluator(network->name());
    LearningReport learning;
    const auto games = self_play_.advance(
        iteration, config_.run.threads, [&network] { return network->make(); },
        [&] { learning = learn(); });
    write_shard(directory_.shard(iteration), provenance(iteration), games);
    update_state(iteration, games);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    report(games, learning, self_play_.stats() - stats_before, seconds);
    // Last: whatever a checkpoint counts is on the disk.
    write_checkpoint(directory_.checkpoint(iteration), state_);
    directory_.prune_checkpoints(config_.run.keep_every);
    if (is_kept(iteration)) grade(iteration);
    report_grades();
  }

  // Of what is not graded yet, the last checkpoint of a complete run included.
  void finish_grading() {
    grade(state_.iteration);
    grader_.wait();
    report_grades();
  }

  TrainingSummary summary() const;

 private:
  bool is_kept(std::uint32_t iteration) const {
    return iteration % static_cast<std::uint32_t>(config_.run.keep_every) == 0;
  }

  void report_grades() {
    for (const auto& grade : grader_.take_finished()) {
      append_metrics(directory_.grades(), grade);
      std::fprintf(stderr, "%s\n", grade_line(grade).c_str());
    }
  }

  void grade(std::uint32_t iteration) {
    if (graded_.insert(iteration).second) grader_.add(iteration, directory_.checkpoint(iteration));
  }

  // Checkpoints that were kept, but whose grades an interruption has left out; the first one.
  void grade_what_is_missing() {
    graded_ = graded_iterations(directory_.grades(), state_.iteration);
    for (const std::uint32_t iteration : checkpoint_iterations(directory_.path())) {
      if (iteration <= state_.iteration && is_kept(iteration)) grade(iteration);
    }
  }

  // At the start, and when a network is too much for the evaluator of the one before.
  void tell_evaluator(const std::string& name) {
    if (name != evaluator_) std::fprintf(stderr, "self-play evaluates with %s\n", name.c_str());
    evaluator_ = name;
  }

  LearningReport learn() {
    const double decay = clock_.decay_progress(state_.iteration, config_.learner.decay_share);
    return learn_due_steps(config_, state_.rows, decay, buffer_, learner_);
  }

  Provenance provenance(std::uint32_t iteration) const {
    return {{config_.rules},
            config_.run.seed,
            directory_.checkpoint(state_.iteration).filename().string(),
            iteration,
            kGitRevision,
            table_ ? env::describe(*table_) : ""};
  }

  void update_state(std::uint32_t iteration, const std::vector<GameRecord>& games) {
    state_.iteration = iteration;
    state_.games += games.size();
    state_.rows += buffer_.add(games, config_.targets);
    state_.learner = learner_.state();
    state_.open_games = self_play_.open_games();
  }

  void report(const std::vector<GameRecord>& games, const LearningReport& learning,
              const SelfPlayStats& stats, double seconds) {
    IterationReport report;
    report.iteration = state_.iteration;
    report.iterations = static_cast<std::uint32_t>(config_.run.iterations);
    report.total_games = state_.games;
    report.total_rows = state_.rows;
    report.total_steps = learner_.steps();
    for (const auto& game : games)
      report.games.add(game);
    report.learning = learning;
    report.self_play = stats;
    report.seconds = seconds;
    report.run_seconds = clock_.seconds();
    report.seconds_left = clock_.seconds_left(first_iteration_, state_.iteration);
    append_metrics(directory_.metrics(), to_json(report));
    std::fprintf(stderr, "%s\n", to_line(report).c_str());
  }

  // The newest shards that fill the window, oldest first: as if the run had never stopped.
  void refill_buffer() {
    std::uint64_t rows = 0;
    std::uint32_t first = state_.iteration;
    for (; first > 0 && rows < buffer_.capacity(); --first) {
      rows += count_rows(read_shard(directory_.shard(first)).games);
    }
    for (std::uint32_t iteration = first + 1; iteration <= state_.iteration; ++iteration) {
      buffer_.add(read_shard(directory_.shard(iteration)).games, config_.targets);
    }
  }

  TrainingConfig config_;
  const RunDir& directory_;
  Checkpoint state_;
  std::uint32_t first_iteration_;
  RunClock clock_;
  std::shared_ptr<const env::EndgameTable> table_;  // that ends games, null for none
  SelfPlay self_play_;
  Learner learner_;
  ReplayBuffer buffer_;
  std::string evaluator_;  // of the last iteration
  CheckpointGrader grader_;
  std::set<std::uint32_t> graded_;  // or being graded
};

TrainingSummary Pipeline::summary() const {
  TrainingSummary summary;
  summary.checkpoint = directory_.checkpoint(state_.iteration);
  summary.complete = complete();
  summary.iterations = state_.iteration;
  summary.games = state_.games;
  summary.rows = state_.rows;
  summary.learner_steps = learner_.steps();
  summary.seconds = clock_.seconds();
  summary.process_seconds = clock_.process_seconds();
  summary.self_play = self_play_.stats();
  return summary;
}

}  // namespace

TrainingSummary run_training(const TrainingConfig& config, const ConfigText& text,
                             const RunDir& directory, bool resume) {
  const auto table = open_table(config.adjudication, config.rules);
  ConfigText own_text = text;
  if (table) own_text.reproducible += "# table: " + env::describe(*table) + "\n";
  Pipeline pipeline(
      config, directory,
      resume ? resume_run(config, own_text, directory) : start_run(config, own_text, directory),
      table);
  while (!pipeline.complete() && !interrupted())
    pipeline.iterate();
  if (pipeline.complete()) pipeline.finish_grading();
  return pipeline.summary();
}

}  // namespace awale::training
