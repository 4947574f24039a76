#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "env/endgame/builder.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr double kMiB = 1 << 20;

struct BuildOptions {
  env::EndgameBuildConfig config;
  double memory_gib = 8;
  std::string out;
  bool json = false;
};

struct BuildResult {
  bool whole = false;
  int first_layer = 0;
  std::size_t peak_bytes = 0;
  double seconds = 0;
  nlohmann::ordered_json layers = nlohmann::ordered_json::array();
};

void report_layer(const env::LayerBuilt& layer) {
  std::fprintf(stderr, "endgame: %d seeds solved, %llu boards\n", layer.seeds,
               static_cast<unsigned long long>(layer.boards));
}

BuildResult build(const env::EndgameBuildConfig& config, const std::string& out) {
  BuildResult result;
  std::optional<Progress> progress;
  env::EndgameBuildReports reports;
  reports.on_start = [&](int first_layer) {
    result.first_layer = first_layer;
    const int end = std::max(config.seeds + 1, first_layer);
    progress.emplace("endgame", "boards", env::layer_begin(end) - env::layer_begin(first_layer));
  };
  reports.on_boards = [&](std::uint64_t boards) { progress->advance(boards); };
  auto layer_begin = std::chrono::steady_clock::now();
  reports.on_layer = [&](const env::LayerBuilt& layer) {
    const auto now = std::chrono::steady_clock::now();
    result.layers.push_back({{"seeds", layer.seeds},
                             {"boards", layer.boards},
                             {"seconds", std::chrono::duration<double>(now - layer_begin).count()},
                             {"peak_bytes", layer.peak_bytes}});
    layer_begin = now;
    result.peak_bytes = std::max(result.peak_bytes, layer.peak_bytes);
    constexpr std::uint64_t kWorthALine = 1'000'000;
    if (layer.boards >= kWorthALine) report_layer(layer);
  };
  reports.stop = interrupted;
  const auto begin = std::chrono::steady_clock::now();
  result.whole = env::build_endgame_table(config, out, reports);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

void print_result(const BuildOptions& options, const BuildResult& result) {
  const int seeds = options.config.seeds;
  const auto boards = env::layer_begin(std::max(seeds + 1, result.first_layer)) -
                      env::layer_begin(result.first_layer);
  if (options.json) {
    const nlohmann::ordered_json json = {{"table", options.out},
                                         {"seeds", seeds},
                                         {"rules", options.config.rules.name},
                                         {"first_layer", result.first_layer},
                                         {"boards", boards},
                                         {"seconds", result.seconds},
                                         {"peak_bytes", result.peak_bytes},
                                         {"complete", result.whole},
                                         {"layers", result.layers}};
    std::cout << json.dump() << '\n';
  } else if (result.first_layer > seeds) {
    std::printf("%s has %d seeds, there was nothing left to solve\n", options.out.c_str(),
                result.first_layer - 1);
  } else {
    std::printf("%s: %s up to %d seeds, %llu boards solved in %.1f s, at most %.0f MiB a layer\n",
                options.out.c_str(), options.config.rules.name.c_str(), seeds,
                static_cast<unsigned long long>(boards), result.seconds,
                static_cast<double>(result.peak_bytes) / kMiB);
  }
}

void run_build(BuildOptions options) {
  options.config.memory_bytes = static_cast<std::size_t>(options.memory_gib * 1024 * kMiB);
  options.config.validate();
  watch_interrupt();
  const BuildResult result = build(options.config, options.out);
  if (!result.whole) {
    std::fprintf(stderr, "interrupted; the same command goes on from %s.building\n",
                 options.out.c_str());
    if (!options.json) throw Interrupted();
  }
  print_result(options, result);
  if (!result.whole) throw Interrupted();
}

}  // namespace

void add_endgame_build(CLI::App& endgame) {
  auto options = std::make_shared<BuildOptions>();
  env::EndgameBuildConfig& config = options->config;
  config.threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  CLI::App* build = endgame.add_subcommand(
      "build", "Solve all boards with up to so many seeds and write them to a file.");
  build->add_option("--out", options->out, "the table; it appears when it is whole")
      ->required()
      ->check(check_not_empty)
      ->type_name("FILE");
  add_field(*build, "--seeds", config.seeds, "boards with up to so many seeds, 1..31");
  add_threads(*build, config.threads);
  build->add_option("--memory", options->memory_gib, "GiB to use at most")
      ->check(in_range(0.001, 1e6))
      ->capture_default_str();
  add_json(*build, options->json);
  add_rules(*build, config.rules);
  build->footer(
      "Layer by layer: a killed build loses the layer it is at, and the same command goes on from\n"
      "FILE.building. A table of fewer seeds at FILE is extended. The result does not depend on\n"
      "the number of threads. Rules that differ only in target, sweep or ply limit share a table.\n"
      "\n"
      "Examples:\n"
      "  awale endgame build --rules awari --seeds 15 --out awari-15.eg\n"
      "  awale endgame build --seeds 20 --memory 4 --out abapa-20.eg");
  build->callback([options] { run_build(*options); });
}

}  // namespace awale::training
