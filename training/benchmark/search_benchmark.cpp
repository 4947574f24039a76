#include "training/benchmark/search_benchmark.hpp"

#include <algorithm>
#include <cstdio>
#include <future>

#include "env/error.hpp"
#include "nn/network_evaluator.hpp"
#include "training/benchmark/search_workloads.hpp"
#include "training/config.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

// What one line of the table is about.
struct Setting {
  std::string network;
  const nn::NetworkSource* source = nullptr;
  const nn::NetworkSource* bare_source = nullptr;  // the same without a cache
  int games = 0;
  int simulations = 0;
  int threads = 0;
};

SelfPlaySetup setup_of(const SearchBenchmarkConfig& config, const Setting& setting, int thread) {
  SelfPlaySetup setup;
  setup.rules = {config.rules};
  setup.search = config.search;
  setup.search.simulations = setting.simulations;
  setup.config.games = setting.games;
  setup.config.group_games = setting.games;
  setup.seed = static_cast<std::uint64_t>(thread + 1);
  return setup;
}

// Each in a thread of its own, so that their memory lies apart as in a program with threads.
template <typename Make>
auto build_in_threads(int threads, const Make& make) {
  std::vector<std::future<decltype(make(0))>> building;
  for (int thread = 0; thread < threads; ++thread)
    building.push_back(std::async(std::launch::async, make, thread));
  std::vector<decltype(make(0))> built;
  for (auto& one : building)
    built.push_back(one.get());
  return built;
}

template <typename Work>
Contestant contestant_of(const std::string& name, std::vector<std::unique_ptr<Work>> workloads) {
  Contestant contestant{name, {}};
  for (auto& workload : workloads)
    contestant.workloads.push_back(std::move(workload));
  return contestant;
}

// The workloads stay alive in the contestant; these are the same objects, to be read afterwards.
template <typename Work>
std::vector<const Work*> views(const std::vector<std::unique_ptr<Work>>& workloads) {
  std::vector<const Work*> pointers;
  for (const auto& workload : workloads)
    pointers.push_back(workload.get());
  return pointers;
}

struct SelfPlayTotals {
  SelfPlayStats stats;
  double rows = 0;
  double hits = 0;
  double encoding_seconds = 0;
  double network_seconds = 0;
  double moves = 0;
  double bytes = 0;
};

SelfPlayTotals totals_of(const std::vector<const SelfPlayWorkload*>& workloads) {
  SelfPlayTotals sum;
  for (const auto* workload : workloads) {
    const auto evaluator = workload->evaluator_stats();
    sum.stats = sum.stats + workload->stats();
    sum.rows += static_cast<double>(evaluator.rows);
    sum.hits += static_cast<double>(evaluator.cache_hits);
    sum.encoding_seconds += evaluator.encoding_seconds;
    sum.network_seconds += evaluator.network_seconds;
    sum.moves += static_cast<double>(workload->moves());
    sum.bytes += static_cast<double>(workload->search_bytes());
  }
  return sum;
}

double share(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

void describe(const SelfPlayTotals& before, const SelfPlayTotals& after, const Setting& setting,
              int leaves, SearchMeasurement& result) {
  const SelfPlayStats stats = after.stats - before.stats;
  const double rows = after.rows - before.rows;
  const double rate_of_row = share(result.rows_per_s.median, rows);
  result.sims_per_s = static_cast<double>(stats.simulations) * rate_of_row;
  result.moves_per_s = (after.moves - before.moves) * rate_of_row;
  result.selection_share = share(stats.selection_seconds, stats.busy_seconds);
  result.encoding_share =
      share(after.encoding_seconds - before.encoding_seconds, stats.busy_seconds);
  result.network_share = share(after.network_seconds - before.network_seconds, stats.busy_seconds);
  result.backup_share = share(stats.backup_seconds, stats.busy_seconds);
  result.batch_fill = share(static_cast<double>(stats.evaluations),
                            static_cast<double>(stats.batches) * setting.games * leaves);
  result.cache_hit_share = share(after.hits - before.hits, static_cast<double>(stats.evaluations));
  result.bytes_a_game = share(after.bytes, static_cast<double>(setting.games) * setting.threads);
}

SearchMeasurement measure_setting(const SearchBenchmarkConfig& config, const Setting& setting,
                                  Progress& progress) {
  auto players = build_in_threads(setting.threads, [&](int thread) {
    return std::make_unique<SelfPlayWorkload>(setup_of(config, setting, thread),
                                              setting.source->make());
  });
  auto bare = build_in_threads(setting.threads, [&](int thread) {
    return std::make_unique<BareWorkload>(config.rules, setting.games * config.search.leaves,
                                          static_cast<std::uint64_t>(thread),
                                          setting.bare_source->make());
  });
  const auto player_views = views(players);
  const auto bare_views = views(bare);
  SearchMeasurement result;
  result.network = setting.network;
  result.evaluator = setting.source->name();
  result.algorithm = to_string(config.search.algorithm);
  result.games = setting.games;
  result.simulations = setting.simulations;
  result.threads = setting.threads;
  const auto before = totals_of(player_views);
  std::vector<Contestant> contestants;
  contestants.push_back(contestant_of("self-play", std::move(players)));
  contestants.push_back(contestant_of("bare", std::move(bare)));
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  result.rows_per_s = rates[0];
  double encoding = 0;
  double network = 0;
  for (const auto* workload : bare_views) {
    encoding += workload->evaluator_stats().encoding_seconds;
    network += workload->evaluator_stats().network_seconds;
  }
  const double network_only = share(encoding + network, network);
  result.bare_rows_per_s = {rates[1].median * network_only, rates[1].lowest * network_only,
                            rates[1].highest * network_only};
  describe(before, totals_of(player_views), setting, config.search.leaves, result);
  return result;
}

}  // namespace

void SearchBenchmarkConfig::validate() const {
  rules.validate();
  for (const auto& evaluator : evaluators)
    evaluator.validate();
  for (const int count : simulations) {
    mcts::SearchConfig one = search;
    one.simulations = count;
    one.validate();
  }
}

std::vector<SearchMeasurement> benchmark_search(const SearchBenchmarkConfig& config) {
  config.validate();
  const std::size_t settings = config.networks.size() * config.evaluators.size() *
                               config.games.size() * config.simulations.size() *
                               config.threads.size();
  Progress progress("bench", "measurements",
                    settings * 2 * static_cast<std::size_t>(config.measure.rounds));
  std::vector<SearchMeasurement> measurements;
  for (const auto& network : config.networks) {
    for (const auto& evaluator : config.evaluators) {
      nn::EvaluatorConfig without_cache = evaluator;
      without_cache.cache_positions = 0;
      const auto source = nn::make_network_source(network, evaluator);
      const auto bare_source = nn::make_network_source(network, without_cache);
      for (const int simulations : config.simulations) {
        for (const int games : config.games) {
          for (const int threads : config.threads) {
            const Setting setting{to_string(network.config),
                                  source.get(),
                                  bare_source.get(),
                                  games,
                                  simulations,
                                  threads};
            measurements.push_back(measure_setting(config, setting, progress));
          }
        }
      }
    }
  }
  return measurements;
}

std::string to_text(const std::vector<SearchMeasurement>& measurements) {
  std::string text =
      "thousands a second, median of the rounds; bare: the network alone; ratio: rows to bare\n"
      "shares of the time: sel selection, enc encoding, net network, back backup\n"
      "evaluator                     N    S thr   sims   rows   bare ratio  moves"
      "  sel  enc  net back  fill  hits KiB/game\n";
  for (const auto& one : measurements) {
    char line[240];
    std::snprintf(line, sizeof(line),
                  "%-26s %4d %4d %3d %6.0f %6.0f %6.0f %5.2f %6.2f %3.0f%% %3.0f%% %3.0f%% %3.0f%% "
                  "%4.0f%% %4.0f%% %8.1f\n",
                  one.evaluator.c_str(), one.games, one.simulations, one.threads,
                  one.sims_per_s * 1e-3, one.rows_per_s.median * 1e-3,
                  one.bare_rows_per_s.median * 1e-3, one.ratio(), one.moves_per_s * 1e-3,
                  one.selection_share * 100, one.encoding_share * 100, one.network_share * 100,
                  one.backup_share * 100, one.batch_fill * 100, one.cache_hit_share * 100,
                  one.bytes_a_game / 1024);
    text += line;
  }
  return text;
}

nlohmann::json to_json(const std::vector<SearchMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"network", one.network},
                    {"evaluator", one.evaluator},
                    {"algorithm", one.algorithm},
                    {"games", one.games},
                    {"simulations", one.simulations},
                    {"threads", one.threads},
                    {"sims_per_s", one.sims_per_s},
                    {"rows_per_s", one.rows_per_s.median},
                    {"rows_per_s_lowest", one.rows_per_s.lowest},
                    {"rows_per_s_highest", one.rows_per_s.highest},
                    {"moves_per_s", one.moves_per_s},
                    {"bare_rows_per_s", one.bare_rows_per_s.median},
                    {"ratio", one.ratio()},
                    {"selection_share", one.selection_share},
                    {"encoding_share", one.encoding_share},
                    {"network_share", one.network_share},
                    {"backup_share", one.backup_share},
                    {"batch_fill", one.batch_fill},
                    {"cache_hit_share", one.cache_hit_share},
                    {"bytes_a_game", one.bytes_a_game}});
  }
  return list;
}

}  // namespace awale::training
