#include <iostream>
#include <memory>

#include "training/benchmark/learner_benchmark.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct BenchLearnerOptions {
  LearnerBenchmarkConfig config;
  std::vector<std::string> networks;  // "2x128"; those of the config if empty
  bool json = false;
};

void run_bench_learner(const BenchLearnerOptions& options) {
  LearnerBenchmarkConfig config = options.config;
  if (!options.networks.empty()) config.networks.clear();
  for (const std::string& network : options.networks)
    config.networks.push_back(nn::parse_network_config(network));
  const auto measurements = benchmark_learner(config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_learner(CLI::App& bench) {
  auto options = std::make_shared<BenchLearnerOptions>();
  LearnerBenchmarkConfig& config = options->config;
  CLI::App* learner = bench.add_subcommand(
      "learner", "Milliseconds a step of the learner, by every kind that this machine has.");
  learner->add_option("--network", options->networks,
                      "BLOCKSxWIDTH, any number of them (default: 2x128 2x256)");
  learner->add_option("--batch", config.learner.batch_rows, "rows a step")
      ->check(in_range(1, 65536))
      ->capture_default_str();
  learner->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  learner
      ->add_option("--rounds", config.measure.rounds,
                   "the kinds take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_rules(*learner, config.rules);
  add_json(*learner, options->json);
  learner->footer(
      "Everything from rows to new weights and averages is counted, on one thread; batches are "
      "drawn\n"
      "from 65536 rows of random games.\n"
      "\n"
      "Examples:\n"
      "  awale bench learner                             everything, a few seconds\n"
      "  awale bench learner --network 2x256 --rounds 21 --json");
  learner->callback([options] { run_bench_learner(*options); });
}

}  // namespace awale::training
