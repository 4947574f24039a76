#include "training/cli/training_options.hpp"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "training/cli/config_file.hpp"
#include "training/cli/options.hpp"

namespace awale::training {
namespace {

constexpr const char* kEvaluatorGroup = "Evaluator";

// "auto, cpu, cuda".
template <typename Value>
std::string listed(const std::vector<std::pair<std::string, Value>>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + name.first;
  return text;
}

// An option whose value is one of `names`.
template <typename Value>
CLI::Option* add_choice(CLI::App& app, const std::string& option, Value& field,
                        const std::vector<std::pair<std::string, Value>>& names,
                        const std::string& help) {
  const auto find = [&names](const std::string& text) {
    return std::find_if(names.begin(), names.end(),
                        [&text](const auto& name) { return name.first == text; });
  };
  const std::function<void(const std::string&)> choose = [&field, find](const std::string& text) {
    field = find(text)->second;
  };
  return app.add_option_function(option, choose, help)
      ->check([&names, find](const std::string& text) {
        return find(text) != names.end()
                   ? ""
                   : "expected one of " + listed(names) + ", found '" + text + "'";
      })
      ->default_str(to_string(field));
}

void add_run(CLI::App& app, RunConfig& run) {
  const std::string group = "Run";
  add_field(app, "--run.iterations,--iterations", run.iterations,
            "iterations of self-play and learning, 1..999999")
      ->group(group);
  add_field(app, "--run.minutes,--minutes", run.minutes,
            "cap on the training time, 0 none; a run that meets it is not reproducible to the byte")
      ->group(group);
  add_field(
      app, "--run.core_minutes", run.core_minutes,
      "the same in processor time of all threads, 0 none; fair where the machine does something "
      "else, too")
      ->group(group);
  add_field(app, "--run.save_every", run.save_every,
            "every so many iterations a shard and a checkpoint are written")
      ->group(group);
  add_field(
      app, "--run.keep_every", run.keep_every,
      "every so many iterations a checkpoint is kept, a multiple of save_every; a run that goes on "
      "with another number keeps those of the new one")
      ->group(group);
  add_field(app, "--run.most_waiting", run.most_waiting,
            "shards that may wait for the learner before followers wait for it (train --external)")
      ->group(group);
}

void add_network(CLI::App& app, nn::NetworkConfig& network) {
  const std::string group = "Network";
  add_field(app, "--network.blocks", network.blocks, "residual blocks of two layers")->group(group);
  add_field(app, "--network.width", network.width, "units a layer")->group(group);
}

void add_learner(CLI::App& app, LearnerConfig& learner) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    add_field(app, "--learner." + name, field, help)->group("Learner");
  };
  add_choice(app, "--learner.kind", learner.kind, learner_kinds(),
             "what computes the steps: " + listed(learner_kinds()) + "; auto: the fastest here")
      ->group("Learner");
  add("batch_rows", learner.batch_rows, "rows a step");
  add("uses_per_row", learner.uses_per_row, "how often a row is trained on, on average");
  add("window_rows", learner.window_rows, "the newest rows that batches are drawn from");
  add("window_first_rows", learner.window_first_rows,
      "... but of N rows so far only window_first_rows * (N / window_first_rows)^window_exponent");
  add("window_exponent", learner.window_exponent, "(0, 1]");
  add("surprise_share", learner.surprise_share,
      "share of a row's weight that goes by how much its search surprised the network, [0, 1]");
  add("validation_share", learner.validation_share,
      "share of games held out of learning, [0, 0.5]");
  add("validation_rows", learner.validation_rows, "of them, the newest, that losses are taken of");
  add("warmup_rows", learner.warmup_rows, "no step before so many rows are there");
  add("learning_rate", learner.learning_rate, "of AdamW");
  add("warmup_steps", learner.warmup_steps, "learning rate rises linearly over so many steps");
  add("decay_share", learner.decay_share, "last share of the run, in which it falls to 0, [0, 1]");
  add("weight_decay", learner.weight_decay, "of AdamW");
  add("beta1", learner.beta1, "of AdamW");
  add("beta2", learner.beta2, "of AdamW");
  add("gradient_clip", learner.gradient_clip, "largest global norm of the gradient");
  add("ema_decay", learner.ema_decay, "decay a step of the averaged weights");
  add("policy_weight", learner.policy_weight, "of the policy loss");
  add("wdl_weight", learner.wdl_weight, "of the win/draw/loss loss");
  add("margin_weight", learner.margin_weight, "of the margin loss");
  add("margin_distribution_weight", learner.margin_distribution_weight,
      "of the auxiliary loss of the final margin's distribution, 0: not computed");
  add("plies_left_weight", learner.plies_left_weight,
      "of the auxiliary loss of the plies to the game's end, 0: not computed");
}

void add_data(CLI::App& app, DataConfig& data) {
  add_field(app, "--data.keep_rows", data.keep_rows,
            "training rows whose games are kept, the newest, at least learner.window_rows; 0: all")
      ->group("Data");
}

void add_evaluation(CLI::App& app, EvaluationConfig& evaluation) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    return add_field(app, "--evaluation." + name, field, help)->group("Evaluation");
  };
  add("opponents", evaluation.opponents, "whom the agent meets at the end, e.g. random minimax:4")
      ->expected(1, 64);
  add("games", evaluation.games, "against each, even; 0: no evaluation");
  add("simulations", evaluation.simulations, "a move of the agent");
}

void add_grading(CLI::App& app, GradingConfig& grading) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    return add_field(app, "--grading." + name, field, help)->group("Grading of kept checkpoints");
  };
  add("opponents", grading.opponents, "whom each meets, e.g. minimax:8 runs/old")->expected(1, 64);
  add("games", grading.games, "against each, even; 0: none");
  add("positions", grading.positions,
      "positions of few seeds, whose truth is known from an endgame table; 0: none");
  add("simulations", grading.simulations, "a move of the agent");
}

void add_alarms(CLI::App& app, AlarmConfig& alarms) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    add_field(app, "--alarms." + name, field, help)->group("Alarms");
  };
  add("entropy_share", alarms.entropy_share,
      "warn where the policy's entropy falls below this share of that of the ten iterations "
      "before");
  add("least_entropy", alarms.least_entropy, "... or below so many nats");
  add("least_value_spread", alarms.least_value_spread,
      "warn where the standard deviation of the network's values is less");
  add("least_steps", alarms.least_steps, "... after so many steps of the learner");
  add("lost_errors", alarms.lost_errors,
      "warn where a grade is so many standard errors worse by the truth than the best one");
}

bool changes_the_result(const TrainingConfig& config, const std::string& section,
                        const std::string& line) {
  // A table is the same wherever it lies; without one the runs are those of before there was any.
  if (section == "[adjudication]")
    return !config.adjudication.table.empty() && line.rfind("table", 0) != 0;
  for (const char* watching : {"[data]", "[evaluation]", "[grading]", "[alarms]"}) {
    if (section == watching) return false;
  }
  // Neither where a kind computes nor what a cache knows changes more than rounding does.
  if (section == "[evaluator]") return line.rfind("kind", 0) == 0 || line.rfind("[", 0) == 0;
  if (section != "[run]") return true;
  return line.rfind("seed", 0) == 0 || line.rfind("[", 0) == 0;
}

}  // namespace

void add_targets(CLI::App& app, TargetConfig& targets) {
  add_field(app, "--targets.lambda", targets.lambda,
            "weight of the next ply's value target against the root's search value, [0, 1]")
      ->group("Targets");
}

void add_evaluator_kind(CLI::App& app, nn::EvaluatorConfig& evaluator) {
  add_choice(app, "--evaluator.kind,--evaluator", evaluator.kind, nn::evaluator_kinds(),
             "what computes the network: " + listed(nn::evaluator_kinds()) +
                 "; auto: the fastest that is right here")
      ->group(kEvaluatorGroup);
  add_choice(app, "--evaluator.device,--device", evaluator.device, nn::devices(),
             "where LibTorch computes: auto (a GPU if there is one), cpu, cuda")
      ->group(kEvaluatorGroup);
}

void add_evaluator(CLI::App& app, nn::EvaluatorConfig& evaluator) {
  add_evaluator_kind(app, evaluator);
  add_number(app, "--evaluator.cache", evaluator.cache_positions, 0, nn::kMostCachePositions,
             "positions that each thread remembers, 64 bytes each, 0 none; not with torch kinds")
      ->group(kEvaluatorGroup);
}

void add_self_play(CLI::App& app, SelfPlayConfig& self_play) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    return add_field(app, "--self_play." + name, field, help)->group("Self-play");
  };
  add("games", self_play.games, "played at once");
  add("group_games", self_play.group_games, "games that share one network batch");
  add("plies_per_iteration", self_play.plies_per_iteration, "plies of each game in an iteration");
  add("random_opening_share", self_play.random_opening_share,
      "share of games that start with random plies, [0, 1]");
  add("random_opening_plies", self_play.random_opening_plies, "at most so many");
  add("fork_share", self_play.fork_share,
      "share of games that begin with a random move at a position of an earlier one, [0, 1]");
  add("presets", self_play.presets,
      "rules whose games are mixed with the run's own: own (no others), all, or presets, e.g. "
      "awari auale")
      ->expected(1, 64);
  add("sampled_plies", self_play.sampled_plies,
      "puct: plies whose moves are drawn from the visits");
  add("temperature", self_play.temperature,
      "puct: moves are drawn from visits^(1/temperature), (0, 10]");
  add("full_search_share", self_play.full_search_share,
      "share of plies searched in full; the others are no policy targets, (0, 1]");
  add("fast_simulations", self_play.fast_simulations,
      "simulations of the other plies, 1..search.simulations");
  add("first_simulations", self_play.first_simulations,
      "simulations that a run begins with; 0: search.simulations from the start");
  add("progressive_share", self_play.progressive_share,
      "share of the run until search.simulations are reached, [0, 1]");
}

void add_adjudication(CLI::App& app, AdjudicationConfig& adjudication) {
  const std::string group = "Adjudication";
  add_field(app, "--adjudication.table", adjudication.table,
            "endgame table (`awale endgame build`) that ends games whose final margin it knows for "
            "certain; \"\": every game is played out")
      ->group(group)
      ->type_name("FILE");
  add_field(app, "--adjudication.play_out_share", adjudication.play_out_share,
            "share of games that are played out all the same, [0, 1]")
      ->group(group);
}

void add_training_config(CLI::App& app, TrainingConfig& config) {
  add_seed(app, config.run.seed);
  add_threads(app, config.run.threads);
  add_run(app, config.run);
  add_rules(app, config.rules);
  add_network(app, config.network);
  add_simulations(app, config.search);
  add_player_search(app, config.search);
  add_noise(app, config.search);
  add_evaluator(app, config.evaluator);
  add_self_play(app, config.self_play);
  add_adjudication(app, config.adjudication);
  add_targets(app, config.targets);
  add_learner(app, config.learner);
  add_data(app, config.data);
  add_evaluation(app, config.evaluation);
  add_grading(app, config.grading);
  add_alarms(app, config.alarms);
}

std::string to_toml(const TrainingConfig& config) {
  TrainingConfig copy = config;
  CLI::App app;
  add_training_config(app, copy);
  return defaults_as_toml(app);
}

std::string reproducible_toml(const TrainingConfig& config) {
  std::istringstream lines(to_toml(config));
  std::string section;
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("[", 0) == 0) section = line;
    if (changes_the_result(config, section, line)) kept += line + "\n";
  }
  return kept;
}

}  // namespace awale::training
