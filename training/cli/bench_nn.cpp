#include <iostream>
#include <memory>

#include "env/error.hpp"
#include "training/benchmark/nn_benchmark.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct BenchNnOptions {
  NnBenchmarkConfig config;
  std::vector<std::string> networks;  // "2x128"; those of the config if empty
  bool json = false;
};

void run_bench_nn(const BenchNnOptions& options) {
  NnBenchmarkConfig config = options.config;
  if (!options.networks.empty()) config.networks.clear();
  for (const std::string& network : options.networks)
    config.networks.push_back(nn::parse_network_config(network));
  const auto measurements = benchmark_nn(config);
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_nn(CLI::App& bench) {
  auto options = std::make_shared<BenchNnOptions>();
  NnBenchmarkConfig& config = options->config;
  CLI::App* nn = bench.add_subcommand(
      "nn", "Positions a second of every evaluator of networks, and of the encoder.");
  nn->add_option("--network", options->networks,
                 "BLOCKSxWIDTH, any number of them (default: 2x128 2x256)");
  nn->add_option(
      "--evaluator", config.evaluators,
      "only these of torch, torch-bf16, eigen, cpu-fp32, cpu-bf16, cpu-int8, and the kernels that "
      "these do not take: avx512-bf16, avx2 (default: all that this machine has)");
  nn->add_option("--batch", config.batches, "positions in a batch")
      ->check(in_range(1, 1 << 20))
      ->capture_default_str();
  nn->add_option("--threads", config.threads, "threads, each with an evaluator of its own")
      ->check(in_range(1, 1024))
      ->capture_default_str();
  nn->add_option("--seconds", config.measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  nn->add_option("--rounds", config.measure.rounds,
                 "the contestants take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_rules(*nn, config.rules);
  nn->add_flag("--json", options->json, "print a JSON list, an object a measurement");
  nn->footer(
      "Everything from positions to policy and value is counted as time. GFLOP/s count two\n"
      "operations a multiplication of the dense layers; beside them stand the bare products of "
      "the\n"
      "residual blocks: LibTorch's mm for float32, the kernel's own for bfloat16 and int8.\n"
      "\n"
      "Examples:\n"
      "  awale bench nn                                  everything, about a minute\n"
      "  awale bench nn --network 4x64 --batch 1 256 --evaluator torch cpu-bf16 --json");
  nn->callback([options] { run_bench_nn(*options); });
}

}  // namespace awale::training
