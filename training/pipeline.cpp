#include "training/pipeline.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/network_evaluator.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/interrupt.hpp"
#include "training/iteration_report.hpp"
#include "training/learning.hpp"
#include "training/metrics.hpp"
#include "training/overlap.hpp"
#include "training/run_clock.hpp"
#include "training/run_writer.hpp"
#include "training/self_play.hpp"
#include "training/training_data.hpp"
#include "training/version.hpp"

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

// What one group has done in one iteration.
struct GroupTurn {
  std::vector<GameRecord> finished;
  std::vector<GameRecord> open;  // only where a checkpoint is written
  SelfPlayStats stats;           // since construction
};

// What the groups play with in one iteration.
struct Acting {
  std::shared_ptr<const nn::NetworkSource> network;
  int simulations = 0;
};

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
        self_play_({config.self_play, config.rule_sets(), config.search, config.run.seed,
                    UINT64_MAX, table_, config.adjudication.play_out_share}),
        learner_(config.learner, config.rule_sets(), state_.learner),
        data_(config.learner, config.targets, config.run.seed),
        players_(static_cast<std::size_t>(config.run.threads)),
        writer_(config, directory, state_.iteration) {
    self_play_.restore(state_.open_games);
    data_.refill(directory.shard(0).parent_path(), state_.iteration);
    for (auto& turns : turns_)
      turns.resize(static_cast<std::size_t>(self_play_.groups()));
    last_finish_ = std::chrono::steady_clock::now();
  }

  void run() {
    if (complete()) return;
    prepare_acting(state_.iteration + 1);
    run_overlapped(
        config_.run.threads, self_play_.groups(), state_.iteration + 1,
        static_cast<std::uint32_t>(config_.run.iterations),
        {[this](int group, std::uint32_t iteration, int worker) { play(group, iteration, worker); },
         [this](std::uint32_t iteration) {
           learn();
           prepare_acting(iteration + 1);
         },
         [this](std::uint32_t iteration) { return finish(iteration); }});
  }

  bool complete() const { return clock_.progress(state_.iteration) >= 1; }

  // Waits for the disk and, in a complete run, for the last grades.
  void close() { writer_.close(complete()); }

  TrainingSummary summary() const;

 private:
  bool is_saved(std::uint32_t iteration) const {
    return iteration % static_cast<std::uint32_t>(config_.run.save_every) == 0;
  }

  // Only iteration k and the next one are under way at once.
  template <typename Pair>
  static auto& of_iteration(Pair& pair, std::uint32_t iteration) {
    return pair[iteration % 2];
  }

  void prepare_acting(std::uint32_t iteration) {
    auto& acting = of_iteration(acting_, iteration);
    acting.network = nn::make_network_source(learner_.averaged(), config_.evaluator);
    acting.simulations = config_.self_play.simulations_at(
        static_cast<double>(iteration - 1) / config_.run.iterations, config_.search.simulations);
    tell_evaluator(acting.network->name());
  }

  // At the start, and when a network is too much for the evaluator of the one before.
  void tell_evaluator(const std::string& name) {
    if (name != evaluator_) std::fprintf(stderr, "self-play evaluates with %s\n", name.c_str());
    evaluator_ = name;
  }

  void play(int index, std::uint32_t iteration, int worker) {
    const auto& acting = of_iteration(acting_, iteration);
    auto& player = players_[static_cast<std::size_t>(worker)];
    if (player.iteration != iteration) player = {iteration, acting.network->make()};
    auto& group = self_play_.group(index);
    GroupTurn turn;
    group.advance(config_.self_play.plies_per_iteration, iteration, acting.simulations,
                  *player.evaluator, turn.finished);
    turn.stats = group.stats();
    // In every iteration, because none knows whether it will be the last.
    group.append_open_games(turn.open);
    of_iteration(turns_, iteration)[static_cast<std::size_t>(index)] = std::move(turn);
  }

  void learn() {
    const double decay = clock_.decay_progress(state_.iteration, config_.learner.decay_share);
    learning_ = learn_due_steps(config_, state_.rows, decay, data_, learner_);
  }

  bool finish(std::uint32_t iteration) {
    auto& turns = of_iteration(turns_, iteration);
    std::vector<GameRecord> games;
    SelfPlayStats stats;
    for (auto& turn : turns) {
      std::move(turn.finished.begin(), turn.finished.end(), std::back_inserter(games));
      stats = stats + turn.stats;
    }
    state_.iteration = iteration;
    state_.games += games.size();
    state_.rows += data_.add(games);
    report(games, stats - stats_);
    stats_ = stats;
    std::move(games.begin(), games.end(), std::back_inserter(unsaved_games_));
    const bool over = complete();  // once: a clock may decide it
    if (is_saved(iteration) || over) save(turns);
    return !over && !stops(iteration);
  }

  // An interrupted run goes on to where it is saved anyway, so that its files are those of one that
  // was never interrupted.
  bool stops(std::uint32_t iteration) {
    if (!interrupted() || is_saved(iteration)) return interrupted();
    if (!stopping_) {
      const auto every = static_cast<std::uint32_t>(config_.run.save_every);
      std::fprintf(stderr,
                   "interrupted: going on to iteration %u, where the run is saved; a second Ctrl-C "
                   "stops at once, and what came after iteration %u is then played again\n",
                   (iteration / every + 1) * every, iteration / every * every);
    }
    stopping_ = true;
    return false;
  }

  void save(std::vector<GroupTurn>& turns) {
    state_.open_games.clear();
    for (auto& turn : turns)
      std::move(turn.open.begin(), turn.open.end(), std::back_inserter(state_.open_games));
    state_.learner = learner_.state();
    writer_.save({provenance(), std::exchange(unsaved_games_, {}), state_});
  }

  Provenance provenance() const {
    return {config_.rule_sets(),
            config_.run.seed,
            directory_.checkpoint(state_.iteration - 1).filename().string(),
            state_.iteration,
            kGitRevision,
            table_ ? env::describe(*table_) : ""};
  }

  void report(const std::vector<GameRecord>& games, const SelfPlayStats& stats) {
    const auto now = std::chrono::steady_clock::now();
    IterationReport report;
    report.iteration = state_.iteration;
    report.iterations = static_cast<std::uint32_t>(config_.run.iterations);
    report.total_games = state_.games;
    report.total_rows = state_.rows;
    report.total_steps = learner_.steps();
    for (const auto& game : games)
      report.games.add(game);
    report.learning = learning_;
    report.self_play = stats;
    report.threads = config_.run.threads;
    report.seconds = std::chrono::duration<double>(now - last_finish_).count();
    report.run_seconds = clock_.seconds();
    report.seconds_left = clock_.seconds_left(first_iteration_, state_.iteration);
    append_metrics(directory_.metrics(), to_json(report));
    std::fprintf(stderr, "%s\n", to_line(report).c_str());
    last_finish_ = now;
  }

  struct Player {
    std::uint32_t iteration = 0;
    std::unique_ptr<nn::Evaluator> evaluator;  // of its network
  };

  TrainingConfig config_;
  const RunDir& directory_;
  Checkpoint state_;
  std::uint32_t first_iteration_;
  RunClock clock_;
  std::shared_ptr<const env::EndgameTable> table_;  // that ends games, null for none
  SelfPlay self_play_;
  Learner learner_;
  TrainingData data_;
  LearningReport learning_;                      // of the iteration that learned last
  std::array<Acting, 2> acting_;                 // of_iteration()
  std::array<std::vector<GroupTurn>, 2> turns_;  // of_iteration(), [group]
  std::vector<Player> players_;                  // [worker]
  std::vector<GameRecord> unsaved_games_;        // finished since the last shard
  SelfPlayStats stats_;                          // at the end of the last iteration
  std::chrono::steady_clock::time_point last_finish_;
  std::string evaluator_;  // of the last iteration
  bool stopping_ = false;
  RunWriter writer_;
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
  pipeline.run();
  pipeline.close();
  return pipeline.summary();
}

}  // namespace awale::training
