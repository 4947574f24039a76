#include "training/config.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "env/error.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

template <typename Value>
void require(bool valid, const std::string& key, const std::string& expected, const Value& found) {
  if (valid) return;
  std::ostringstream text;
  text << key << ": expected " << expected << ", found " << found;
  throw InputError(ErrorKind::kUsage, text.str());
}

void require_share(double value, const std::string& key) {
  require(value >= 0 && value <= 1, key, "a number in [0, 1]", value);
}

void require_positive(double value, const std::string& key) {
  require(value > 0 && value < 1e9, key, "a number above 0 and below 1e9", value);
}

void require_weight(double value, const std::string& key) {
  require(value >= 0, key, "0 or more", value);
}

}  // namespace

void SelfPlayConfig::validate(const mcts::SearchConfig& search) const {
  require(group_games >= 1 && group_games <= 4096, "self_play.group_games", "1..4096", group_games);
  require(
      games >= group_games && games <= 1'000'000 && games % group_games == 0, "self_play.games",
      "a multiple of self_play.group_games (" + std::to_string(group_games) + "), at most 1000000",
      games);
  const auto known = env::preset_names();
  for (const auto& name : presets) {
    require(name == "own" || name == "all" || std::count(known.begin(), known.end(), name) > 0,
            "self_play.presets", "own, all or presets (`awale rules` lists them)", name);
  }
  require(plies_per_iteration >= 1 && plies_per_iteration <= 10'000,
          "self_play.plies_per_iteration", "1..10000", plies_per_iteration);
  require_share(random_opening_share, "self_play.random_opening_share");
  require(random_opening_plies >= 0 && random_opening_plies <= 100,
          "self_play.random_opening_plies", "0..100", random_opening_plies);
  require(random_opening_plies > 0 || random_opening_share == 0, "self_play.random_opening_share",
          "0 where random_opening_plies is 0", random_opening_share);
  require(fork_share >= 0 && random_opening_share + fork_share <= 1, "self_play.fork_share",
          "a number in [0, 1 - random_opening_share]", fork_share);
  require(sampled_plies >= 0 && sampled_plies <= 10'000, "self_play.sampled_plies", "0..10000",
          sampled_plies);
  require(temperature > 0 && temperature <= 10, "self_play.temperature", "a number in (0, 10]",
          temperature);
  require(full_search_share > 0 && full_search_share <= 1, "self_play.full_search_share",
          "a number in (0, 1]", full_search_share);
  const bool always_full = full_search_share == 1;
  require(fast_simulations >= 1 && (always_full || fast_simulations <= search.simulations),
          "self_play.fast_simulations",
          "1..search.simulations (" + std::to_string(search.simulations) + ")", fast_simulations);
  require(first_simulations >= 0 && first_simulations <= search.simulations,
          "self_play.first_simulations",
          "0 (off)..search.simulations (" + std::to_string(search.simulations) + ")",
          first_simulations);
  require_share(progressive_share, "self_play.progressive_share");
}

int SelfPlayConfig::simulations_at(double progress, int all) const {
  if (first_simulations == 0 || progress >= progressive_share) return all;
  const double ratio = static_cast<double>(all) / first_simulations;
  return static_cast<int>(
      std::lround(first_simulations * std::pow(ratio, progress / progressive_share)));
}

void AdjudicationConfig::validate() const {
  require_share(play_out_share, "adjudication.play_out_share");
}

const std::vector<std::pair<std::string, LearnerKind>>& learner_kinds() {
  static const std::vector<std::pair<std::string, LearnerKind>> kinds = {
      {"auto", LearnerKind::kAuto},
      {"torch", LearnerKind::kTorch},
      {"cpu-fp32", LearnerKind::kCpuFp32},
      {"cpu-bf16", LearnerKind::kCpuBf16}};
  return kinds;
}

std::string to_string(LearnerKind kind) {
  return learner_kinds().at(static_cast<std::size_t>(kind)).first;
}

void LearnerConfig::validate() const {
  require(batch_rows >= 1 && batch_rows <= 65536, "learner.batch_rows", "1..65536", batch_rows);
  require(uses_per_row > 0 && uses_per_row <= 100, "learner.uses_per_row", "a number in (0, 100]",
          uses_per_row);
  require(window_rows >= batch_rows && window_rows <= 100'000'000, "learner.window_rows",
          "batch_rows (" + std::to_string(batch_rows) + ")..100000000", window_rows);
  require(window_first_rows >= 1 && window_first_rows <= 100'000'000, "learner.window_first_rows",
          "1..100000000", window_first_rows);
  require(window_exponent > 0 && window_exponent <= 1, "learner.window_exponent",
          "a number in (0, 1]", window_exponent);
  require_share(surprise_share, "learner.surprise_share");
  require(validation_share >= 0 && validation_share <= 0.5, "learner.validation_share",
          "a number in [0, 0.5]", validation_share);
  require(validation_rows >= 1 && validation_rows <= 1'000'000, "learner.validation_rows",
          "1..1000000", validation_rows);
  require(warmup_rows >= 0 && warmup_rows <= window_rows, "learner.warmup_rows",
          "0..window_rows (" + std::to_string(window_rows) + ")", warmup_rows);
  require_positive(learning_rate, "learner.learning_rate");
  require(warmup_steps >= 0, "learner.warmup_steps", "0 or more", warmup_steps);
  require_share(decay_share, "learner.decay_share");
  require_share(weight_decay, "learner.weight_decay");
  require(beta1 >= 0 && beta1 < 1, "learner.beta1", "a number in [0, 1)", beta1);
  require(beta2 >= 0 && beta2 < 1, "learner.beta2", "a number in [0, 1)", beta2);
  require_positive(gradient_clip, "learner.gradient_clip");
  require(ema_decay >= 0 && ema_decay < 1, "learner.ema_decay", "a number in [0, 1)", ema_decay);
  require_weight(policy_weight, "learner.policy_weight");
  require_weight(wdl_weight, "learner.wdl_weight");
  require_weight(margin_weight, "learner.margin_weight");
  require_weight(margin_distribution_weight, "learner.margin_distribution_weight");
  require_weight(plies_left_weight, "learner.plies_left_weight");
}

void DataConfig::validate(const LearnerConfig& learner) const {
  require(keep_rows == 0 || (keep_rows >= learner.window_rows && keep_rows <= 1'000'000'000'000),
          "data.keep_rows",
          "0 (everything) or learner.window_rows (" + std::to_string(learner.window_rows) +
              ")..1000000000000",
          keep_rows);
}

void EvaluationConfig::validate() const {
  require(games >= 0 && games % 2 == 0 && games <= 1'000'000, "evaluation.games",
          "an even number up to 1000000 (openings are played with both colours), 0 for none",
          games);
  require(simulations >= 1 && simulations <= 60000, "evaluation.simulations", "1..60000",
          simulations);
}

void GradingConfig::validate() const {
  require(games >= 0 && games % 2 == 0 && games <= 10'000, "grading.games",
          "an even number up to 10000 (openings are played with both colours), 0 for none", games);
  require(positions >= 0 && positions <= 100'000, "grading.positions", "0 (none)..100000",
          positions);
  require(simulations >= 1 && simulations <= 60000, "grading.simulations", "1..60000", simulations);
}

void AlarmConfig::validate() const {
  require_share(entropy_share, "alarms.entropy_share");
  require(least_entropy >= 0 && least_entropy < 2, "alarms.least_entropy", "a number in [0, 2)",
          least_entropy);
  require(least_value_spread >= 0 && least_value_spread < 1, "alarms.least_value_spread",
          "a number in [0, 1)", least_value_spread);
  require(least_steps >= 0, "alarms.least_steps", "0 or more", least_steps);
  require_positive(lost_errors, "alarms.lost_errors");
}

void RunConfig::validate() const {
  require(threads >= 1 && threads <= 1024, "run.threads", "1..1024", threads);
  require(iterations >= 1 && iterations <= 999'999, "run.iterations", "1..999999", iterations);
  require(minutes >= 0 && minutes <= 1e6, "run.minutes", "0 (no limit)..1000000", minutes);
  require(core_minutes >= 0 && core_minutes <= 1e6, "run.core_minutes", "0 (no limit)..1000000",
          core_minutes);
  require(save_every >= 1, "run.save_every", "1 or more", save_every);
  require(keep_every >= 1 && keep_every % save_every == 0, "run.keep_every",
          "a multiple of run.save_every (" + std::to_string(save_every) + ")", keep_every);
  require(most_waiting >= 1 && most_waiting <= 1'000'000, "run.most_waiting", "1..1000000",
          most_waiting);
}

TrainingConfig::TrainingConfig() {
  search.simulations = 16;        // the best in minutes: configs/README.md
  search.noise_weight = 0.25F;    // Silver et al. 2018
  search.forced_playouts = 2.0F;  // Wu 2019
  search.gumbel_noise = 1.0F;
  search.c_scale = 0.5F;  // trains as well as 1 or better, though more plays better
}

int TrainingConfig::simulations_of(std::uint32_t iteration) const {
  return self_play.simulations_at(static_cast<double>(iteration - 1) / run.iterations,
                                  search.simulations);
}

std::vector<env::RuleSet> TrainingConfig::rule_sets() const {
  std::vector<env::RuleSet> sets = {rules};
  for (const auto& name : self_play.presets) {
    if (name == "own") continue;
    if (name != "all") add_rules(sets, env::preset(name));
    for (const auto& each : name == "all" ? env::preset_names() : std::vector<std::string>())
      add_rules(sets, env::preset(each));
  }
  return sets;
}

void TrainingConfig::validate() const {
  run.validate();
  rules.validate();
  network.validate();
  search.validate();
  evaluator.validate();
  self_play.validate(search);
  const int groups = self_play.games / self_play.group_games;
  require(rule_sets().size() <= static_cast<std::size_t>(groups), "self_play.presets",
          "no more rule sets than groups of games (" + std::to_string(groups) + ")",
          rule_sets().size());
  require(adjudication.table.empty() || rule_sets().size() == 1, "adjudication.table",
          "none where self_play.presets mixes rules", adjudication.table);
  adjudication.validate();
  targets.validate();
  learner.validate();
  data.validate(learner);
  evaluation.validate();
  grading.validate();
  alarms.validate();
}

}  // namespace awale::training
