#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "training/cli/data.hpp"
#include "training/cli/options.hpp"
#include "training/data/data_files.hpp"
#include "training/data/data_statistics.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct DataStatsOptions {
  std::vector<std::string> paths;
  bool json = false;
};

nlohmann::ordered_json count(const std::vector<std::string>& paths) {
  const auto shards = find_shards(paths);
  Progress progress("stats", "files", shards.size());
  DataStatistics statistics;
  for (const auto& file : shards) {
    statistics.add_shard(file);
    progress.advance(1);
  }
  return statistics.to_json();
}

void run_stats(const DataStatsOptions& options) {
  const auto statistics = count(options.paths);
  if (options.json) {
    std::cout << statistics.dump(2) << '\n';
  } else {
    std::cout << statistics_text(statistics);
  }
}

}  // namespace

void add_data_stats(CLI::App& data) {
  auto options = std::make_shared<DataStatsOptions>();
  CLI::App* stats = data.add_subcommand(
      "stats", "What games look like as data: lengths, openings, surprise, calibration.");
  add_data_paths(*stats, options->paths);
  add_json(*stats, options->json);
  stats->footer(
      "Surprise is KL(policy || prior) in nats: what the search has added to the network. Values\n"
      "are compared with the outcomes of their games, both seen from the player to move. The\n"
      "table over iterations shows single iterations, evenly spread.\n"
      "\n"
      "Examples:\n"
      "  awale data stats runs/first\n"
      "  awale data stats runs/first/shards/000001.h5 games.h5 --json");
  stats->callback([options] { run_stats(*options); });
}

}  // namespace awale::training
