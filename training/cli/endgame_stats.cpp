#include <algorithm>
#include <cstdio>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>
#include <vector>

#include "env/endgame/statistics.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct EndgameStatsOptions {
  std::string table;
  int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  bool csv = false;
  bool json = false;
};

using Layers = std::vector<env::LayerStatistics>;

Layers count(const env::EndgameTable& table, int threads) {
  Progress progress("stats", "boards", env::layer_begin(table.seeds() + 1));
  Layers layers;
  for (int seeds = 0; seeds <= table.seeds(); ++seeds) {
    layers.push_back(env::layer_statistics(table, seeds, threads));
    progress.advance(env::layer_size(seeds));
  }
  return layers;
}

template <typename Visit>
void for_each_count(const env::LayerStatistics& layer, const Visit& visit) {
  for (int win = 0; win <= layer.seeds; ++win) {
    for (int loss = 0; loss <= layer.seeds; ++loss) {
      const auto boards =
          layer.counts[static_cast<std::size_t>(win)][static_cast<std::size_t>(loss)];
      if (boards > 0) visit(win, loss, boards);
    }
  }
}

void print_values(const Layers& layers) {
  std::cout << "seeds,value,positions\n";
  for (const auto& layer : layers) {
    std::map<int, std::uint64_t> values;
    for_each_count(layer, [&values](int win, int loss, std::uint64_t boards) {
      values[win - loss] += boards;
    });
    for (const auto& [value, boards] : values)
      std::cout << layer.seeds << ',' << value << ',' << boards << '\n';
  }
}

void print_guarantees(const Layers& layers) {
  std::cout << "seeds,to_move,opponent,positions\n";
  for (const auto& layer : layers) {
    for_each_count(layer, [&layer](int win, int loss, std::uint64_t boards) {
      std::cout << layer.seeds << ',' << win << ',' << loss << ',' << boards << '\n';
    });
  }
}

void print_json(const Layers& layers) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const auto& layer : layers) {
    list.push_back({{"seeds", layer.seeds},
                    {"boards", layer.boards},
                    {"exact", layer.exact},
                    {"reachable", layer.reachable},
                    {"reachable_exact", layer.reachable_exact}});
  }
  std::cout << list.dump() << '\n';
}

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

void print_table(const env::EndgameTable& table, const Layers& layers) {
  std::printf("%s up to %d seeds\n", env::describe(table.rules()).c_str(), table.seeds());
  std::printf("%5s %12s %12s %7s %12s %12s %7s\n", "seeds", "boards", "exact", "%", "reachable",
              "exact", "%");
  for (const auto& layer : layers) {
    std::printf("%5d %12llu %12llu %7.2f %12llu %12llu %7.2f\n", layer.seeds,
                static_cast<unsigned long long>(layer.boards),
                static_cast<unsigned long long>(layer.exact), percent(layer.exact, layer.boards),
                static_cast<unsigned long long>(layer.reachable),
                static_cast<unsigned long long>(layer.reachable_exact),
                percent(layer.reachable_exact, layer.reachable));
  }
}

void run_stats(const EndgameStatsOptions& options) {
  const env::EndgameTable table = env::EndgameTable::open(options.table);
  const Layers layers = count(table, options.threads);
  if (options.json) {
    print_json(layers);
  } else if (!options.csv) {
    print_table(table, layers);
  } else if (table.cycles() == env::CycleScore::kZero) {
    print_values(layers);
  } else {
    print_guarantees(layers);
  }
}

}  // namespace

void add_endgame_stats(CLI::App& endgame) {
  auto options = std::make_shared<EndgameStatsOptions>();
  CLI::App* stats =
      endgame.add_subcommand("stats", "Count the boards of a table by what they are worth.");
  add_table(*stats, options->table);
  CLI::Option* csv = stats->add_flag(
      "--csv", options->csv,
      "every count: seeds,value,positions; of guarantees seeds,to_move,opponent,positions");
  stats->add_flag("--json", options->json, "the table as a JSON list, an object a layer")
      ->excludes(csv);
  add_threads(*stats, options->threads);
  stats->footer(
      "exact: boards whose value is known. reachable: boards that a move can lead to, because who\n"
      "has just moved has left a pit empty.\n"
      "\n"
      "Example:\n"
      "  awale endgame stats --table awari-15.eg --csv > awari.csv");
  stats->callback([options] { run_stats(*options); });
}

}  // namespace awale::training
