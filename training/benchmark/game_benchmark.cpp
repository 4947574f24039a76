#include "training/benchmark/game_benchmark.hpp"

#include <cstdio>

#include "env/game.hpp"
#include "env/random.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/split_search.hpp"
#include "nn/network_evaluator.hpp"
#include "training/benchmark/middle_games.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr int kSearchPositions = 8;

// Searches the next position a run; units are simulations.
class GameWorkload : public Workload {
 public:
  explicit GameWorkload(const env::RuleSet& rules)
      : games_(middle_games(rules, kSearchPositions)) {}

  long run() final {
    const env::Game& game = games_[next_++ % games_.size()];
    return search({game.position(), game.history()});
  }

 private:
  virtual long search(const mcts::SearchRoot& root) = 0;

  std::vector<env::Game> games_;
  std::size_t next_ = 0;
};

class SharedWorkload final : public GameWorkload {
 public:
  SharedWorkload(const env::RuleSet& rules, const mcts::SearchConfig& config,
                 const nn::NetworkSource& source, int threads)
      : GameWorkload(rules), evaluator_(source.make(threads)), search_(rules, config, 1) {}

 private:
  long search(const mcts::SearchRoot& root) override {
    const auto before = search_.stats().simulations;
    mcts::SearchResult result;
    search_.run(std::span(&root, 1), *evaluator_, std::span(&result, 1));
    return static_cast<long>(search_.stats().simulations - before);
  }

  std::unique_ptr<nn::Evaluator> evaluator_;
  mcts::BatchedSearch search_;
};

class SplitWorkload final : public GameWorkload {
 public:
  SplitWorkload(const env::RuleSet& rules, const mcts::SearchConfig& config,
                const nn::NetworkSource& source, int threads)
      : GameWorkload(rules), search_(rules, config, 1, threads) {
    for (int thread = 0; thread < threads; ++thread)
      evaluators_.push_back(source.make());
  }

 private:
  long search(const mcts::SearchRoot& root) override {
    const auto before = search_.stats().simulations;
    search_.run(root, evaluators_);
    return static_cast<long>(search_.stats().simulations - before);
  }

  std::vector<std::unique_ptr<nn::Evaluator>> evaluators_;
  mcts::SplitSearch search_;
};

template <typename Work>
Contestant contestant(const GameBenchmarkConfig& config, const mcts::SearchConfig& search,
                      const nn::NetworkSource& source, int threads) {
  Contestant one{"", {}};
  one.workloads.push_back(std::make_unique<Work>(config.rules, search, source, threads));
  return one;
}

// Everything that is compared with each other.
void measure_setting(const GameBenchmarkConfig& config, const mcts::SearchConfig& search,
                     const nn::NetworkSource& source, Progress& progress,
                     std::vector<GameMeasurement>& measurements) {
  std::vector<Contestant> contestants;
  const std::size_t first = measurements.size();
  for (const int threads : config.threads) {
    GameMeasurement one{"shared", source.name(), search.simulations, search.leaves, threads, {}};
    contestants.push_back(contestant<SharedWorkload>(config, search, source, threads));
    measurements.push_back(one);
    if (search.algorithm != mcts::Algorithm::kGumbel) continue;
    one.search = "split";
    contestants.push_back(contestant<SplitWorkload>(config, search, source, threads));
    measurements.push_back(one);
  }
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  for (std::size_t i = 0; i < rates.size(); ++i)
    measurements[first + i].sims_per_s = rates[i];
}

std::vector<mcts::SearchConfig> searches_of(const GameBenchmarkConfig& config) {
  std::vector<mcts::SearchConfig> searches;
  for (const int simulations : config.simulations) {
    searches.push_back(config.search);
    searches.back().simulations = simulations;
  }
  return searches;
}

}  // namespace

void GameBenchmarkConfig::validate() const {
  rules.validate();
  evaluator.validate();
  for (const auto& one : searches_of(*this))
    one.validate();
}

std::vector<GameMeasurement> benchmark_game(const GameBenchmarkConfig& config) {
  config.validate();
  const auto searches = searches_of(config);
  const std::size_t kinds = config.search.algorithm == mcts::Algorithm::kGumbel ? 2 : 1;
  Progress progress("bench", "measurements",
                    config.networks.size() * searches.size() * config.threads.size() * kinds *
                        static_cast<std::size_t>(config.measure.rounds));
  std::vector<GameMeasurement> measurements;
  for (const auto& network : config.networks) {
    const auto source = nn::make_network_source(network, config.evaluator);
    for (const auto& search : searches)
      measure_setting(config, search, *source, progress, measurements);
  }
  return measurements;
}

std::string to_text(const std::vector<GameMeasurement>& measurements) {
  std::string text =
      "thousand simulations a second of one game, median [lowest, highest] of the rounds\n"
      "evaluator                      S leaves thr  search    sims\n";
  for (const auto& one : measurements) {
    char line[160];
    std::snprintf(line, sizeof(line), "%-26s %5d %6d %3d  %-6s  %6.1f [%.1f, %.1f]\n",
                  one.evaluator.c_str(), one.simulations, one.leaves, one.threads,
                  one.search.c_str(), one.sims_per_s.median * 1e-3, one.sims_per_s.lowest * 1e-3,
                  one.sims_per_s.highest * 1e-3);
    text += line;
  }
  return text;
}

nlohmann::json to_json(const std::vector<GameMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"search", one.search},
                    {"evaluator", one.evaluator},
                    {"simulations", one.simulations},
                    {"leaves", one.leaves},
                    {"threads", one.threads},
                    {"sims_per_s", one.sims_per_s.median},
                    {"lowest", one.sims_per_s.lowest},
                    {"highest", one.sims_per_s.highest}});
  }
  return list;
}

}  // namespace awale::training
