#include <iostream>
#include <memory>

#include "training/benchmark/env_benchmark.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct BenchEnvOptions {
  EnvBenchmarkConfig config;
  bool json = false;
};

void run_bench_env(const BenchEnvOptions& options) {
  const auto measurements = benchmark_env(options.config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

void add_bench_env(CLI::App& bench) {
  auto options = std::make_shared<BenchEnvOptions>();
  EnvBenchmarkConfig& config = options->config;
  CLI::App* env = bench.add_subcommand(
      "env", "Moves a second of random games: one by one, and in batches by every kernel.");
  env->add_option("--kernel", config.kernels,
                  "only these of naive, scalar, portable, avx2, avx512 (default: all that this "
                  "machine has)");
  env->add_option("--games", config.games, "games side by side, a thread")
      ->check(in_range(1, 1 << 20))
      ->capture_default_str();
  env->add_option("--threads", config.threads, "threads, each with its own games")
      ->check(in_range(1, 1024))
      ->capture_default_str();
  env->add_option("--repetition", config.repetition,
                  "0: as if no repetition ended a game; 1: as the rules say, the second occurrence "
                  "where they say nothing")
      ->check(in_range(0, 1))
      ->capture_default_str();
  env->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  env->add_option("--rounds", config.measure.rounds,
                  "the contestants take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_rules(*env, config.rules);
  add_json(*env, options->json);
  env->footer(
      "naive is one Game object after another, scalar one Board after another; the rest are the\n"
      "kernels of BatchEnv. Every move is chosen uniformly and every game that ends starts again.\n"
      "Below them stand the parts of the fastest kernel's step and a copy of the same memory.\n"
      "\n"
      "Examples:\n"
      "  awale bench env                                 everything, about a minute\n"
      "  awale bench env --games 4096 --threads 1 --repetition 0 --rounds 15\n"
      "  awale bench env --rules awari --kernel avx2 --json");
  env->callback([options] { run_bench_env(*options); });
}

}  // namespace

void add_bench(CLI::App& app) {
  CLI::App* bench = app.add_subcommand("bench", "Measure how fast the parts are on this machine.");
  bench->require_subcommand(1);
  bench->footer("`awale bench nn --help` explains a benchmark.");
  add_bench_env(*bench);
  add_bench_endgame(*bench);
  add_bench_game(*bench);
  add_bench_learner(*bench);
  add_bench_minimax(*bench);
  add_bench_nn(*bench);
  add_bench_search(*bench);
}

}  // namespace awale::training
