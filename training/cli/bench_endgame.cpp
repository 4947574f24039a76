#include <iostream>
#include <memory>
#include <string>

#include "training/benchmark/endgame_benchmark.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct BenchEndgameOptions {
  std::string table;
  MeasureConfig measure;
  bool json = false;
};

void run_bench_endgame(const BenchEndgameOptions& options) {
  const auto measurements = benchmark_endgame({options.table, options.measure});
  std::cout << (options.json ? to_json(measurements).dump(1) + "\n" : to_text(measurements));
}

}  // namespace

void add_bench_endgame(CLI::App& bench) {
  auto options = std::make_shared<BenchEndgameOptions>();
  CLI::App* endgame =
      bench.add_subcommand("endgame", "Nanoseconds of a look into an endgame table.");
  add_table(*endgame, options->table);
  endgame->add_option("--seconds", options->measure.seconds, "a round")
      ->check(in_range(0.001, 3600.0))
      ->capture_default_str();
  endgame
      ->add_option("--rounds", options->measure.rounds,
                   "the contestants take turns so often; the median counts")
      ->check(in_range(1, 1000))
      ->capture_default_str();
  add_json(*endgame, options->json);
  endgame->footer(
      "array reads the bytes of boards whose place is known, probe looks boards up one after the\n"
      "other, chain waits for each answer before it knows the next board.\n"
      "\n"
      "Example:\n"
      "  awale bench endgame --table abapa-15.eg");
  endgame->callback([options] { run_bench_endgame(*options); });
}

}  // namespace awale::training
