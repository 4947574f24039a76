#include "training/training_run.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "training/metrics.hpp"
#include "training/trajectory_log.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

// The newest `count` games of the first `iterations`, as they were played, from the shards in
// `directory`; fewer where there are not so many.
std::vector<GameRecord> newest_games(const std::filesystem::path& directory,
                                     std::uint32_t iterations, std::uint64_t count) {
  auto numbers = shard_numbers(directory);
  std::vector<GameRecord> games;
  for (; !numbers.empty() && games.size() < count; numbers.pop_back()) {
    if (numbers.back() > iterations) continue;
    auto shard = read_shard(shard_file(directory, numbers.back()));
    std::move(games.begin(), games.end(), std::back_inserter(shard.games));
    games = std::move(shard.games);
  }
  const auto older = games.size() - std::min<std::size_t>(games.size(), count);
  games.erase(games.begin(), games.begin() + static_cast<std::ptrdiff_t>(older));
  return games;
}

}  // namespace

TrainingRun::TrainingRun(const TrainingConfig& config, const RunDir& directory,
                         Checkpoint checkpoint, std::string table)
    : config_(config),
      directory_(directory),
      state_(std::move(checkpoint)),
      first_iteration_(state_.iteration),
      clock_(config.run, rewind_metrics(directory.metrics(), state_.iteration)),
      table_(std::move(table)),
      learner_(config.learner, config.rule_sets(), state_.learner),
      data_(config.learner, config.targets, config.run.seed),
      alarms_(config.alarms, directory.metrics()),
      events_(directory.tensorboard(), state_.iteration),
      writer_(config, directory, state_.iteration, events_) {
  // A run that was complete may go on for longer.
  std::error_code ignored;  // mostly there is none
  if (!complete()) std::filesystem::remove(directory.summary(), ignored);
  const auto shards = directory.shard(0).parent_path();
  read_of_run(directory.path(), [&] {
    data_.refill(shards, state_);
    for (const auto& game : newest_games(shards, state_.iteration, alarms_.unseen_games()))
      alarms_.add(game);
  });
  clock_.restart();  // reading the games of before is no training
  last_end_ = std::chrono::steady_clock::now();
}

void TrainingRun::add(std::vector<GameRecord> games) {
  state_.games += games.size();
  state_.rows += data_.add(games);
  for (const auto& game : games) {
    games_.add(game);
    alarms_.add(game);
  }
  std::move(games.begin(), games.end(), std::back_inserter(unsaved_games_));
}

void TrainingRun::learn(std::uint64_t limit) {
  const double decay = clock_.decay_progress(state_.iteration, config_.learner.decay_share);
  learning_ = learn_due_steps(
      config_, {state_.rows, decay, limit, directory_.diverged(state_.iteration + 1)}, data_,
      learner_);
}

void TrainingRun::end_iteration(const PlayedBy& played) {
  ++state_.iteration;
  const auto now = std::chrono::steady_clock::now();
  IterationReport report;
  report.iteration = state_.iteration;
  report.iterations = static_cast<std::uint32_t>(config_.run.iterations);
  report.total_games = state_.games;
  report.total_rows = state_.rows;
  report.total_steps = learner_.steps();
  report.games = std::exchange(games_, {});
  report.learning = learning_;
  report.self_play = played.work;
  report.shards = played.shards;
  report.threads = played.threads;
  report.seconds = std::chrono::duration<double>(now - last_end_).count();
  report.run_time = clock_.used();
  report.seconds_left = clock_.seconds_left(first_iteration_, state_.iteration);
  auto line = to_json(report);
  line.update(alarms_.look(learner_.steps()));
  append_metrics(directory_.metrics(), line);
  events_.append(line);
  std::fprintf(stderr, "%s\n", to_line(report).c_str());
  last_end_ = now;
}

void TrainingRun::save(std::vector<GameRecord> open_games) {
  state_.open_games = std::move(open_games);
  state_.learner = learner_.state();
  writer_.save({provenance(), std::exchange(unsaved_games_, {}), state_});
}

Provenance TrainingRun::provenance() const {
  Provenance provenance{config_.rule_sets(),
                        config_.run.seed,
                        directory_.checkpoint(state_.iteration - 1).filename().string(),
                        state_.iteration,
                        kGitRevision,
                        table_};
  provenance.games_before = state_.games - unsaved_games_.size();
  return provenance;
}

TrainingSummary TrainingRun::summary() const {
  TrainingSummary summary;
  summary.checkpoint = directory_.checkpoint(state_.iteration);
  summary.complete = complete();
  summary.iterations = state_.iteration;
  summary.games = state_.games;
  summary.rows = state_.rows;
  summary.learner_steps = learner_.steps();
  summary.time = clock_.used();
  summary.process_seconds = clock_.process_seconds();
  return summary;
}

}  // namespace awale::training
