#include "training/iteration_report.hpp"

#include <nlohmann/json.hpp>

#include "training/format_text.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

double rate(double count, double seconds) {
  return seconds > 0 ? count / seconds : 0;
}

// What was learned, or why nothing was.
std::string learning_text(const LearningReport& learning) {
  if (learning.steps == 0) return "collecting games";
  return format_text("loss: policy %.3f, outcome %.3f, margin %.4f", learning.losses.policy,
                     learning.losses.wdl, learning.losses.margin);
}

// How the games came about.
std::string playing_text(const IterationReport& report) {
  if (report.shards > 0)
    return "from " + count_text(static_cast<std::size_t>(report.shards), "shard");
  return format_text("%.0f simulations/s  %.0f evaluations/s  network %.0f %%",
                     report.simulations_per_second(), report.evaluations_per_second(),
                     100.0 * report.network_share());
}

}  // namespace

double IterationReport::simulations_per_second() const {
  return rate(static_cast<double>(self_play.simulations), seconds);
}

double IterationReport::evaluations_per_second() const {
  return rate(static_cast<double>(self_play.evaluations), seconds);
}

double IterationReport::games_per_second() const {
  return rate(static_cast<double>(games.games()), seconds);
}

double IterationReport::network_share() const {
  return rate(self_play.evaluator_seconds, self_play.busy_seconds);
}

double IterationReport::busy_share() const {
  return rate(self_play.busy_seconds + learning.seconds, threads * seconds);
}

nlohmann::ordered_json to_json(const LossReport& losses) {
  return {{"loss_policy", losses.policy},
          {"policy_target_entropy", losses.policy_target_entropy},
          {"loss_wdl", losses.wdl},
          {"loss_margin", losses.margin},
          {"loss_margin_distribution", losses.margin_distribution},
          {"loss_plies_left", losses.plies_left}};
}

nlohmann::ordered_json to_json(const IterationReport& report) {
  nlohmann::ordered_json json = {
      {"iteration", report.iteration},
      {"run_seconds", report.run_time.seconds},
      {"run_core_seconds", report.run_time.core_seconds},
      {"seconds", report.seconds},
      {"total_games", report.total_games},
      {"total_rows", report.total_rows},
      {"total_steps", report.total_steps},
      {"finished", report.games.to_json()},
      {"shards", report.shards},
      {"steps", report.learning.steps},
      {"learning_rate", report.learning.rate},
      {"window_rows", report.learning.window_rows},
      {"learner_seconds", report.learning.seconds},
      {"games_per_second", report.games_per_second()},
      {"simulations_per_second", report.simulations_per_second()},
      {"evaluations_per_second", report.evaluations_per_second()},
      {"network_share", report.network_share()},
      {"busy_share", report.busy_share()},
  };
  auto losses = to_json(report.learning.losses);
  losses["gradient_norm"] = report.learning.losses.gradient_norm;
  if (report.learning.steps == 0) {
    for (auto& loss : losses)
      loss = nullptr;  // nothing was learned, which is no loss of 0
  }
  json.update(losses);
  if (report.learning.validation) json["validation"] = to_json(*report.learning.validation);
  return json;
}

std::string to_line(const IterationReport& report) {
  return format_text("iteration %u/%u  %llu games (%.0f/s)  %s  %s  %s left", report.iteration,
                     report.iterations, static_cast<unsigned long long>(report.total_games),
                     report.games_per_second(), playing_text(report).c_str(),
                     learning_text(report.learning).c_str(),
                     duration_text(report.seconds_left).c_str());
}

}  // namespace awale::training
