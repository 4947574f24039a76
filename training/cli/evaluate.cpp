#include <algorithm>
#include <memory>
#include <thread>

#include "training/checkpoint.hpp"
#include "training/cli/compute.hpp"
#include "training/cli/options.hpp"
#include "training/cli/print_report.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/match_report.hpp"
#include "training/players.hpp"

namespace awale::training {
namespace {

struct EvaluateOptions {
  std::string checkpoint;
  std::string against;
  MatchConfig match;
  PlayerSetup setup;
  bool json = false;
};

void run_evaluate(EvaluateOptions options) {
  options.match.validate();
  const PlayerSpec opponent = parse_player(options.against);
  const Agent agent = load_agent(options.checkpoint);
  options.setup.rules = agent.rules;
  options.setup.seed = options.match.seed;
  const NamedPlayer first = make_player(agent, options.setup);
  const NamedPlayer second = make_player(opponent, options.setup);
  check_compute(options.match.threads);
  Match match;
  {
    Progress progress("evaluate", "games", static_cast<std::uint64_t>(options.match.games));
    match = play_match(agent.rules, options.match, first.make, second.make, progress);
  }
  print_report(make_report(match, first.name, second.name), agent.rules, options.match.seed,
               options.json);
}

}  // namespace

void add_evaluate(CLI::App& app) {
  auto options = std::make_shared<EvaluateOptions>();
  // More threads only make it faster: the result is the same.
  options->match.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  CLI::App* evaluate = app.add_subcommand(
      "evaluate", "Measure a trained agent against an opponent: points and Elo with intervals.");
  evaluate
      ->add_option("--checkpoint", options->checkpoint,
                   "the agent: a checkpoint, a weights file or a run directory (its newest one)")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  evaluate->add_option("--against", options->against, std::string("the opponent: ") + kPlayerForms)
      ->required()
      ->type_name("PLAYER");
  add_field(*evaluate, "--games", options->match.games,
            "games, even, 2 or more: each opening is played with both colours");
  add_seed(*evaluate, options->match.seed);
  add_threads(*evaluate, options->match.threads);
  add_evaluator(*evaluate, options->setup.evaluator);
  add_json(*evaluate, options->json);
  add_simulations(*evaluate, options->setup.search);
  add_player_search(*evaluate, options->setup.search);
  evaluate->footer(
      "The games start from different random openings of 4 to 8 plies, under the rules that the\n"
      "agent was trained for. Intervals are 95 % intervals from the pairs of games. Times a move\n"
      "are given because equal simulations are not equal time; minimax:MSms compares at a time.\n"
      "Elo is kept finite: a score of 0 or 100 % counts as half a point off it.\n"
      "\n"
      "Examples:\n"
      "  awale evaluate --checkpoint runs/quickstart --against minimax:4\n"
      "  awale evaluate --checkpoint runs/a --against runs/b:128 --simulations 128 --json");
  evaluate->callback([options] { run_evaluate(*options); });
}

}  // namespace awale::training
