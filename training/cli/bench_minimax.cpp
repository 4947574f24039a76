#include <iostream>
#include <memory>

#include "training/benchmark/minimax_benchmark.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct BenchMinimaxOptions {
  MinimaxBenchmarkConfig config;
  bool json = false;
};

void run_bench_minimax(const BenchMinimaxOptions& options) {
  const auto measurements = benchmark_minimax(options.config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_minimax(CLI::App& bench) {
  auto options = std::make_shared<BenchMinimaxOptions>();
  MinimaxBenchmarkConfig& config = options->config;
  CLI::App* minimax = bench.add_subcommand(
      "minimax", "Nodes a second of the minimax baseline, beside a loop that only plays moves.");
  minimax->add_option("--depth", config.depth, "plies of a search")
      ->check(in_range(1, 99))
      ->capture_default_str();
  minimax->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  minimax
      ->add_option("--rounds", config.measure.rounds,
                   "the contestants take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_rules(*minimax, config.rules);
  add_json(*minimax, options->json);
  minimax->footer(
      "moves plays every sequence of 7 moves from the start, without any thought. The other lines\n"
      "search with both evaluations: 12 positions of random games, and the start position. A node\n"
      "is a position visited below the root.\n"
      "\n"
      "Examples:\n"
      "  awale bench minimax\n"
      "  awale bench minimax --depth 16 --rounds 15 --json");
  minimax->callback([options] { run_bench_minimax(*options); });
}

}  // namespace awale::training
