#include <iostream>
#include <memory>

#include "nn/network_evaluator.hpp"
#include "nn/pretrained.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"
#include "training/uci/uci_engine.hpp"

namespace awale::training {
namespace {

constexpr int kMostSimulations = 60000;  // 7.7 MB of tree a move at the root
constexpr int kPositionsPerMib = (1 << 20) / 64;

struct UciCommandOptions {
  UciOptions start;
  env::RuleSet rules;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;
};

UciSearch make_search(const UciCommandOptions& command, const UciOptions& options,
                      const mcts::StopSignal& stop) {
  const Agent agent = load_agent(options.checkpoint);
  UciSearch made;
  made.rules = options.rules.value_or(agent.rules.front());
  require_rules(agent, made.rules);
  nn::EvaluatorConfig evaluator = command.evaluator;
  if (!nn::rows_depend_on_batch(evaluator.kind))
    evaluator.cache_positions = options.hash_mib * kPositionsPerMib / options.threads;
  mcts::SearchConfig search = command.search;
  if (!options.table.empty()) {
    search.endgame = std::make_shared<const env::EndgameTable>(
        env::EndgameTable::open(options.table, made.rules));
  }
  const auto network = make_network_source(agent, evaluator);
  made.search = std::make_unique<mcts::AnytimeSearch>(
      made.rules, search, options.threads,
      [network](int threads) { return network->make(threads); }, stop);
  made.most_simulations = search.simulations;
  return made;
}

void run_uci(UciCommandOptions command, bool rules_chosen) {
  command.evaluator.validate();
  if (rules_chosen) command.start.rules = command.rules;
  const auto make = [&command](const UciOptions& options, const mcts::StopSignal& stop) {
    return make_search(command, options, stop);
  };
  UciEngine(command.start, make, std::cout).run(std::cin);
}

}  // namespace

void add_uci(CLI::App& app) {
  auto options = std::make_shared<UciCommandOptions>();
  options->start.checkpoint = nn::kPretrained;
  options->search.simulations = kMostSimulations;
  CLI::App* uci = app.add_subcommand(
      "uci", "An engine for other programs: the UCI dialect of Aualé, on standard input.");
  add_field(*uci, "--checkpoint", options->start.checkpoint,
            "network: a checkpoint, a weights file, a run directory or pretrained, the one that "
            "comes with the program")
      ->check(check_not_empty)
      ->type_name("PATH");
  add_optional_table(*uci, options->start.table, ": positions with few seeds are looked up there");
  add_field(*uci, "--hash", options->start.hash_mib,
            "MiB of known positions, 0: none; not with torch kinds")
      ->check(in_range(0, kMostHashMib));
  add_field(*uci, "--run.threads,--threads", options->start.threads,
            "threads that search a position, 1.." + std::to_string(kMostUciThreads))
      ->check(in_range(1, kMostUciThreads));
  add_player_search(*uci, options->search);
  add_evaluator_kind(*uci, options->evaluator);
  add_rules(*uci, options->rules);
  uci->footer(
      "Commands: uci, isready, ucinewgame, debug [on | off], quit,\n"
      "  position [startpos | fen BOARD] [moves LETTERS],\n"
      "  go [depth D] [nodes N] [movetime MS], go infinite, go ponder ..., stop, ponderhit,\n"
      "  setoption name Rules | Checkpoint | Table | Threads | Hash value V.\n"
      "Depth d is 2^d simulations, a score of 100 one seed of the expected final margin. What\n"
      "cannot be understood is told as \"info string error: ...\"; every go that is not\n"
      "typed during a search has its bestmove, 0000 where the game is over or the last position\n"
      "could not be read. The end of the input waits for a search that ends by itself; quit stops\n"
      "it. Rules are the checkpoint's unless given.\n"
      "\n"
      "Example:\n"
      "  printf 'position startpos moves FfBe\\ngo movetime 500\\n' | awale uci");
  uci->callback([options, uci] { run_uci(*options, rules_given(*uci)); });
}

}  // namespace awale::training
