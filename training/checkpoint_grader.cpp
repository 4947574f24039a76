#include "training/checkpoint_grader.hpp"

#include <chrono>
#include <utility>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/checkpoint.hpp"
#include "training/format_text.hpp"
#include "training/match_report.hpp"
#include "training/players.hpp"
#include "training/truth/quick_grade.hpp"

namespace awale::training {
namespace {

mcts::SearchConfig playing_search(const TrainingConfig& config) {
  mcts::SearchConfig search = mcts::playing(config.search);
  search.simulations = config.grading.simulations;
  return search;
}

// A grade places positions at a ply that short games do not reach.
bool can_be_judged(const TrainingConfig& config) {
  return config.grading.positions > 0 &&
         (config.rules.ply_limit == 0 || config.rules.ply_limit > kGradedPly);
}

bool wanted(const TrainingConfig& config) {
  return can_be_judged(config) || (config.grading.games > 0 && !config.grading.opponents.empty());
}

QuickGradeConfig quick_grade_config(const GradingConfig& grading) {
  QuickGradeConfig config;
  config.positions = grading.positions;
  config.simulations = {grading.simulations};
  return config;
}

}  // namespace

CheckpointGrader::CheckpointGrader(const TrainingConfig& config)
    : config_(config), thread_([this] { work(); }) {}

CheckpointGrader::~CheckpointGrader() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void CheckpointGrader::add(std::uint32_t iteration, const std::filesystem::path& path) {
  if (!wanted(config_)) return;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({iteration, path});
  }
  changed_.notify_all();
}

std::vector<nlohmann::ordered_json> CheckpointGrader::take_finished() {
  const std::lock_guard lock(mutex_);
  if (failure_) std::rethrow_exception(failure_);
  return std::exchange(finished_, {});
}

void CheckpointGrader::wait(const std::function<bool()>& give_up) {
  constexpr std::chrono::milliseconds kAskEvery{50};
  std::unique_lock lock(mutex_);
  while (!changed_.wait_for(lock, kAskEvery,
                            [this] { return failure_ || (jobs_.empty() && !busy_); })) {
    if (give_up()) return;
  }
}

void CheckpointGrader::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stop_ || !jobs_.empty(); });
    if (stop_) return;
    const Job job = jobs_.front();
    jobs_.pop_front();
    busy_ = true;
    lock.unlock();
    nlohmann::ordered_json grade_of_job;
    std::exception_ptr failure;
    try {
      grade_of_job = grade(job);
    } catch (const InputError& error) {
      grade_of_job = {{"iteration", job.iteration}, {"error", error.what()}};
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (stop_) return;
    busy_ = false;
    if (failure) {
      failure_ = failure;
    } else {
      finished_.push_back(std::move(grade_of_job));
    }
    changed_.notify_all();
    if (failure) return;
  }
}

nlohmann::ordered_json CheckpointGrader::grade(const Job& job) {
  const auto begin = std::chrono::steady_clock::now();
  nlohmann::ordered_json result = {{"iteration", job.iteration}, {"matches", play(job)}};
  if (can_be_judged(config_) && !stop_) {
    if (!truth_) {
      truth_ = std::make_unique<QuickGrader>(config_.rules, quick_grade_config(config_.grading));
    }
    const auto network = make_network_source(load_agent(job.path), config_.evaluator);
    result["truth"] =
        to_json(truth_->grade(playing_search(config_), [&network] { return network->make(); }));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result["seconds"] = seconds.count();
  return result;
}

nlohmann::ordered_json CheckpointGrader::play(const Job& job) const {
  auto list = nlohmann::ordered_json::array();
  if (config_.grading.games == 0) return list;
  const PlayerSetup setup{config_.rules, playing_search(config_), config_.run.seed,
                          config_.evaluator};
  const auto agent = make_player(load_agent(job.path), setup);
  const MatchConfig match{config_.grading.games, config_.run.seed};
  for (const auto& name : config_.grading.opponents) {
    const auto opponent = make_player(parse_player(name), setup);
    Progress progress;
    const Match played = play_match(config_.rules, match, agent.make, opponent.make, progress, {},
                                    [this] { return stop_.load(); });
    if (played.stopped()) break;
    const Rating rating = make_report(played, agent.name, opponent.name).rating;
    list.push_back({{"opponent", name},
                    {"games", match.games},
                    {"points_percent", rating.points_percent},
                    {"points_percent_low", rating.points_percent_low},
                    {"points_percent_high", rating.points_percent_high},
                    {"elo", rating.elo},
                    {"elo_low", rating.elo_low},
                    {"elo_high", rating.elo_high}});
  }
  return list;
}

std::string grade_line(const nlohmann::ordered_json& grade) {
  std::string text = format_text("checkpoint %d:", grade["iteration"].get<int>());
  if (grade.contains("error")) return text + " not graded: " + grade["error"].get<std::string>();
  const char* separator = " ";
  for (const auto& match : grade["matches"]) {
    text += format_text("%s%.1f %% against %s", separator, match["points_percent"].get<double>(),
                        match["opponent"].get<std::string>().c_str());
    separator = ", ";
  }
  if (!grade.contains("truth")) return text;
  const auto& truth = grade["truth"];
  for (const auto& [key, value] : truth.items()) {
    if (!key.ends_with("_lost") || value.is_null()) continue;
    std::string player = "the network loses";
    if (key != "network_lost") {
      player = key.substr(7, key.size() - 12);
      player += player == "1" ? " simulation loses" : " simulations lose";
    }
    text += format_text("%s%s %.1f %% of results", separator, player.c_str(),
                        100 * value.get<double>());
    separator = ", ";
  }
  return text;
}

}  // namespace awale::training
