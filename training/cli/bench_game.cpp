#include <iostream>
#include <memory>

#include "mcts/split_search.hpp"
#include "training/benchmark/game_benchmark.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/cli/training_options.hpp"

namespace awale::training {
namespace {

struct BenchGameOptions {
  GameBenchmarkConfig config;
  std::vector<std::string> networks = {"2x128", "2x256"};  // fresh ones, where no checkpoint is
  std::vector<std::string> checkpoints;
  bool json = false;
};

void run_bench_game(const BenchGameOptions& options) {
  GameBenchmarkConfig config = options.config;
  for (const auto& path : options.checkpoints)
    config.networks.push_back(load_agent(path).weights);
  if (options.checkpoints.empty()) {
    for (const auto& network : options.networks)
      config.networks.push_back(nn::initial_weights(nn::parse_network_config(network), 1));
  }
  const auto measurements = benchmark_game(config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_game(CLI::App& bench) {
  auto options = std::make_shared<BenchGameOptions>();
  GameBenchmarkConfig& config = options->config;
  CLI::App* game = bench.add_subcommand(
      "game", "Simulations a second of the search of a single game, on one and more threads.");
  game->add_option("--network", options->networks, "BLOCKSxWIDTH, fresh networks")
      ->capture_default_str();
  game->add_option("--checkpoint", options->checkpoints,
                   "trained networks instead: checkpoints, weights files, runs or pretrained")
      ->check(check_not_empty)
      ->type_name("PATH");
  game->add_option("--simulations", config.simulations, "simulations a move: S")
      ->check(in_range(1, 60000))
      ->capture_default_str();
  game->add_option("--threads", config.threads, "threads that search the game")
      ->check(in_range(1, mcts::SplitSearch::kMostThreads))
      ->capture_default_str();
  game->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  game->add_option("--rounds", config.measure.rounds,
                   "all searches and numbers of threads take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_evaluator(*game, config.evaluator);
  add_player_search(*game, config.search);
  add_rules(*game, config.rules);
  game->add_flag("--json", options->json, "print a JSON list, an object a measurement");
  game->footer(
      "shared: the threads share each batch of one search. split: they share the moves at the\n"
      "root; with 1 of search.leaves both find the same, with more split takes them from each "
      "move's\n"
      "tree.\n"
      "\n"
      "Examples:\n"
      "  awale bench game                                everything, about a minute\n"
      "  awale bench game --network 2x128 --simulations 800 --search.leaves 4");
  game->callback([options] { run_bench_game(*options); });
}

}  // namespace awale::training
