#include <memory>

#include "training/cli/duel.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct EvaluateOptions : DuelOptions {
  std::string checkpoint;
  std::string against;
};

void run_evaluate(EvaluateOptions options, bool rules_chosen) {
  const auto players =
      make_match_players({"mcts:" + options.checkpoint, options.against}, options, rules_chosen);
  run_duel(options, players);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* evaluate = app.add_subcommand(
      "evaluate", "Measure a trained agent against an opponent: points and Elo with intervals.");
  evaluate
      ->add_option(
          "--checkpoint", options->checkpoint,
          "the agent: a checkpoint, a weights file, a run directory (its newest one) or pretrained")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  evaluate->add_option("--against", options->against, std::string("the opponent: ") + kPlayerForms)
      ->required()
      ->type_name("PLAYER");
  add_duel_options(*evaluate, *options);
  add_rules(*evaluate, options->setup.rules);
  evaluate->footer(
      std::string("A match of the agent, under its usual rules unless told otherwise. Times a "
                  "move are given\n"
                  "because equal simulations are not equal time.\n\n") +
      kMatchHelp +
      "\n"
      "Examples:\n"
      "  awale evaluate --checkpoint runs/quickstart --against minimax:4\n"
      "  awale evaluate --checkpoint runs/a --against runs/b:128 --simulations 128 --json\n"
      "  awale evaluate --checkpoint pretrained --against minimax:8 --rules valencian\n"
      "  awale evaluate --checkpoint runs/a --against minimax:10ms --equal-time 10");
  evaluate->callback([options, evaluate] { run_evaluate(*options, rules_given(*evaluate)); });
}

}  // namespace awale::training
