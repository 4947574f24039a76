#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/weights.hpp"
#include "training/adjudication.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/config_file.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/evaluation.hpp"
#include "training/external/external_training.hpp"
#include "training/interrupt.hpp"
#include "training/pipeline.hpp"
#include "training/players.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct TrainOptions {
  std::string run;
  bool resume = false;
  bool external = false;
  TrainingConfig config;
};

double per_second(std::uint64_t count, double seconds) {
  return seconds > 0 ? static_cast<double>(count) / seconds : 0;
}

nlohmann::ordered_json to_json(const TrainingSummary& summary) {
  return {{"checkpoint", summary.checkpoint.string()},
          {"complete", summary.complete},
          {"iterations", summary.iterations},
          {"games", summary.games},
          {"rows", summary.rows},
          {"learner_steps", summary.learner_steps},
          {"seconds", summary.time.seconds},
          {"core_seconds", summary.time.core_seconds}};
}

// Of this process: a run that was complete already has none.
void print_rates(const TrainingSummary& summary) {
  const auto& work = summary.self_play;
  std::printf("self-play    %.0f simulations/s, %.0f evaluations/s, %.0f %% of it in the network\n",
              per_second(work.simulations, summary.process_seconds),
              per_second(work.evaluations, summary.process_seconds),
              100.0 * work.evaluator_seconds / work.busy_seconds);
}

void print_summary(const TrainingSummary& summary) {
  std::printf("trained      %u iterations, %llu games, %llu positions, %llu learner steps in %s\n",
              summary.iterations, static_cast<unsigned long long>(summary.games),
              static_cast<unsigned long long>(summary.rows),
              static_cast<unsigned long long>(summary.learner_steps),
              duration_text(summary.time.seconds).c_str());
  if (summary.self_play.simulations > 0) print_rates(summary);
  std::printf("checkpoint   %s\n", summary.checkpoint.c_str());
}

// That they can be parsed, and that networks among them are there and play these rules.
void check_opponents(const std::string& key, const std::vector<std::string>& opponents,
                     const env::RuleSet& rules) {
  try {
    for (const auto& opponent : opponents) {
      const auto spec = parse_player(opponent);
      if (spec.kind == PlayerKind::kAgent) require_rules(load_agent(spec.path), rules);
    }
  } catch (const InputError& error) {
    throw InputError(error.kind(), key + ": " + error.what());
  }
}

// A resumed run reads its own config unless it is given another.
void complete_options(CLI::App& app, TrainOptions& options) {
  if (options.resume && app.get_option("--config")->count() == 0) {
    apply_config_file(app, std::filesystem::path(options.run) / "config.toml");
  }
  options.config.validate();
  // A slip is better found before the training than after it, and before there is a directory.
  const auto& config = options.config;
  check_opponents("evaluation.opponents", config.evaluation.opponents, config.rules);
  check_opponents("grading.opponents", config.grading.opponents, config.rules);
  resolve_learner_kind(options.config.learner.kind);
  nn::make_network_source(nn::initial_weights({1, 1}, 1), options.config.evaluator);
  open_table(options.config.adjudication, options.config.rules);
}

// False if it was interrupted.
bool grade_run(const TrainingConfig& config, const RunDir& directory,
               const TrainingSummary& summary) {
  if (config.evaluation.games == 0) return true;
  const auto grades = grade(config, directory.checkpoint(0), summary.checkpoint, interrupted);
  if (!grades) return false;
  nn::write_file_atomically(directory.evaluation(), to_json(*grades).dump(2) + "\n");
  std::cout << '\n' << to_table(*grades);
  return true;
}

void run_train(CLI::App& app, TrainOptions& options) {
  const std::filesystem::path path = options.run;
  if (options.resume && !std::filesystem::exists(path / "config.toml")) {
    throw InputError(ErrorKind::kFile, "run directory " + options.run +
                                           ": no run to resume here (config.toml is missing)");
  }
  complete_options(app, options);
  const auto& config = options.config;
  const ConfigText text = {to_toml(config), reproducible_toml(config)};
  const RunDir directory(path, options.resume);
  std::fprintf(stderr, "settings in force: %s\n", directory.config().c_str());
  watch_interrupt();
  const auto train = options.external ? run_external_training : run_training;
  const auto summary = train(config, text, directory, options.resume);
  print_summary(summary);
  if (!summary.complete || interrupted() || !grade_run(config, directory, summary)) {
    std::printf("interrupted%s; go on with: awale train --run %s --resume%s\n",
                summary.complete ? " before all was graded" : "", options.run.c_str(),
                options.external ? " --external" : "");
    throw Interrupted();
  }
  nn::write_file_atomically(directory.summary(), to_json(summary).dump(2) + "\n");
}

}  // namespace

void add_train(CLI::App& app) {
  auto options = std::make_shared<TrainOptions>();
  CLI::App* train = app.add_subcommand(
      "train", "Train an agent through self-play: play, log, learn, again; then grade it.");
  train->add_option("--run", options->run, "directory of the run, new or empty unless --resume")
      ->required()
      ->check(check_not_empty)
      ->type_name("DIR");
  train->add_flag("--resume", options->resume,
                  "go on with an interrupted run, with its own settings unless --config is given");
  train->add_flag("--external", options->external,
                  "only learn, from games that `awale selfplay --follow` brings");
  add_config_file(*train);
  add_training_config(*train, options->config);
  train->footer(
      "Examples:\n"
      "  awale train --config configs/quickstart.toml --run runs/first\n"
      "  awale train --run runs/first --resume\n"
      "  awale train --config configs/quickstart.toml --run runs/wide --network.width 256\n"
      "  awale train --external --config configs/quickstart.toml --run runs/shared\n"
      "\n"
      "With --external other processes play, on this or other hosts that share the folder (`awale\n"
      "selfplay --follow runs/shared`); each iteration learns from what has come in.\n"
      "\n"
      "Ctrl-C goes on to the iteration where the run is saved next (run.save_every) and tells how "
      "to\n"
      "resume it; a second one stops at once: what was not saved is then played again.");
  train->callback([train, options] { run_train(*train, *options); });
}

}  // namespace awale::training
