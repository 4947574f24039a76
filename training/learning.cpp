#include "training/learning.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "env/error.hpp"
#include "env/random.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

void add(LossReport& sum, const LossReport& term) {
  sum.policy += term.policy;
  sum.policy_target_entropy += term.policy_target_entropy;
  sum.wdl += term.wdl;
  sum.margin += term.margin;
  sum.margin_distribution += term.margin_distribution;
  sum.plies_left += term.plies_left;
  sum.gradient_norm += term.gradient_norm;
}

void divide(LossReport& sum, double count) {
  sum.policy /= count;
  sum.policy_target_entropy /= count;
  sum.wdl /= count;
  sum.margin /= count;
  sum.margin_distribution /= count;
  sum.plies_left /= count;
  sum.gradient_norm /= count;
}

// Leaves the batch behind and says how to go on.
[[noreturn]] void diverged(const DueSteps& due, const Learner& learner, double rate,
                           std::span<const TrainingRow* const> batch, const std::string& what) {
  const auto run = due.diverged_batch.parent_path().parent_path();
  std::string text = what;
  std::error_code ignored;  // then there is no batch either
  std::filesystem::create_directories(due.diverged_batch.parent_path(), ignored);
  try {
    learner.dump_batch(due.diverged_batch, batch);
    text += "; the batch is in " + due.diverged_batch.string();
  } catch (const InputError& error) {
    text.append("; no batch was left: ").append(error.what());
  }
  text += "; the last checkpoint is sound, go on with a lower learning rate: awale train --run ";
  text += run.string() + format_text(" --resume --learner.learning_rate %g", rate / 2);
  throw InputError(ErrorKind::kDiverged, text);
}

}  // namespace

std::uint64_t window_rows(const LearnerConfig& config, std::uint64_t rows) {
  const double first = config.window_first_rows;
  const double grown = first * std::pow(static_cast<double>(rows) / first, config.window_exponent);
  const auto floor = static_cast<std::uint64_t>(std::max(config.warmup_rows, config.batch_rows));
  return std::min({rows, static_cast<std::uint64_t>(config.window_rows),
                   std::max(static_cast<std::uint64_t>(grown), floor)});
}

std::uint64_t steps_due(const LearnerConfig& config, std::uint64_t rows, std::uint64_t steps_done,
                        std::uint64_t limit) {
  if (rows < static_cast<std::uint64_t>(config.warmup_rows) || rows == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(config.uses_per_row * static_cast<double>(rows) /
                                                 config.batch_rows);
  return wanted <= steps_done ? 0 : std::min(wanted - steps_done, limit);
}

std::uint64_t steps_limit(const TrainingConfig& config) {
  const double plies =
      static_cast<double>(config.self_play.games) * config.self_play.plies_per_iteration;
  return static_cast<std::uint64_t>(
      std::ceil(1.5 * plies * config.learner.uses_per_row / config.learner.batch_rows));
}

LearningReport learn_due_steps(const TrainingConfig& config, const DueSteps& due,
                               const TrainingData& data, Learner& learner) {
  const auto begin = std::chrono::steady_clock::now();
  LearningReport report;
  report.steps = steps_due(config.learner, due.rows, learner.steps(), due.limit);
  report.window_rows = std::min(window_rows(config.learner, due.rows),
                                static_cast<std::uint64_t>(data.replay().size()));
  std::vector<const TrainingRow*> batch(static_cast<std::size_t>(config.learner.batch_rows));
  for (std::uint64_t i = 0; i < report.steps; ++i) {
    env::RandomStream stream(config.run.seed, env::RandomPurpose::kReplay, learner.steps(), 0);
    data.replay().sample(report.window_rows, stream, batch);
    report.rate = learning_rate(config.learner, learner.steps(), due.decay_progress);
    try {
      add(report.losses, learner.step(batch, report.rate));
    } catch (const InputError& error) {
      if (error.kind() != ErrorKind::kDiverged) throw;
      diverged(due, learner, config.learner.learning_rate, batch, error.what());
    }
  }
  const auto& held_out = data.held_out();
  if (report.steps > 0 && held_out.size() == held_out.capacity())
    report.validation = learner.evaluate(held_out.newest(held_out.size()));
  if (report.steps > 0) divide(report.losses, static_cast<double>(report.steps));
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace awale::training
