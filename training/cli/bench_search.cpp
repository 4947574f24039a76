#include <iostream>
#include <memory>

#include "nn/network_evaluator.hpp"
#include "training/benchmark/search_benchmark.hpp"
#include "training/checkpoint.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/config.hpp"

namespace awale::training {
namespace {

struct BenchSearchOptions {
  SearchBenchmarkConfig config;
  std::vector<std::string> networks = {"2x128", "2x256"};  // fresh ones, where no checkpoint is
  std::vector<std::string> checkpoints;
  std::vector<std::string> evaluators;  // every one that this machine has, if empty
  int cache_positions = 0;
  bool json = false;
};

nn::EvaluatorConfig evaluator_of(nn::EvaluatorKind kind, const BenchSearchOptions& options) {
  const bool cached = !nn::rows_depend_on_batch(kind);
  return {kind, nn::Device::kAuto, cached ? options.cache_positions : 0};
}

// The evaluators by name; without names all that run here.
std::vector<nn::EvaluatorConfig> evaluators_of(const BenchSearchOptions& options) {
  std::vector<nn::EvaluatorConfig> configs;
  for (const auto& name : options.evaluators)
    configs.push_back(evaluator_of(nn::parse_evaluator_kind(name), options));
  if (!configs.empty()) return configs;
  for (const auto& [name, kind] : nn::evaluator_kinds()) {
    if (kind != nn::EvaluatorKind::kAuto && nn::runs_here(kind))
      configs.push_back(evaluator_of(kind, options));
  }
  return configs;
}

void run_bench_search(const BenchSearchOptions& options) {
  SearchBenchmarkConfig config = options.config;
  for (const auto& path : options.checkpoints)
    config.networks.push_back(load_agent(path).weights);
  if (options.checkpoints.empty()) {
    for (const auto& network : options.networks)
      config.networks.push_back(nn::initial_weights(nn::parse_network_config(network), 1));
  }
  config.evaluators = evaluators_of(options);
  const auto measurements = benchmark_search(config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_search(CLI::App& bench) {
  auto options = std::make_shared<BenchSearchOptions>();
  SearchBenchmarkConfig& config = options->config;
  config.search = TrainingConfig().search;
  CLI::App* search = bench.add_subcommand(
      "search", "Simulations and moves a second of self-play, beside the bare network.");
  search->add_option("--network", options->networks, "BLOCKSxWIDTH, fresh networks")
      ->capture_default_str();
  search
      ->add_option("--checkpoint", options->checkpoints,
                   "trained networks instead: checkpoints, weights files, runs or pretrained")
      ->check(check_not_empty)
      ->type_name("PATH");
  search->add_option("--evaluator", options->evaluators,
                     "only these (default: all that this machine has)");
  search
      ->add_option("--cache", options->cache_positions,
                   "positions that each evaluator remembers, where it may; 0: none")
      ->check(in_range(0, 1 << 26))
      ->capture_default_str();
  search->add_option("--games", config.games, "games side by side, a thread: N")
      ->check(in_range(1, 4096))
      ->capture_default_str();
  search->add_option("--simulations", config.simulations, "simulations a move: S")
      ->check(in_range(1, 60000))
      ->capture_default_str();
  search->add_option("--threads", config.threads, "threads, each with its own games")
      ->check(in_range(1, 1024))
      ->capture_default_str();
  search->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  search
      ->add_option("--rounds", config.measure.rounds,
                   "self-play and the bare network take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_player_search(*search, config.search);
  add_noise(*search, config.search);
  add_rules(*search, config.rules);
  search->add_flag("--json", options->json, "print a JSON list, an object a measurement");
  search->footer(
      "Rows are positions that go through the network; the ratio is theirs inside self-play to\n"
      "those of the network alone, which no search can exceed.\n"
      "\n"
      "Examples:\n"
      "  awale bench search                              everything, about two minutes\n"
      "  awale bench search --network 2x128 --evaluator auto --cache 262144 --threads 2\n"
      "  awale bench search --checkpoint runs/quickstart --algorithm puct --json");
  search->callback([options] { run_bench_search(*options); });
}

}  // namespace awale::training
