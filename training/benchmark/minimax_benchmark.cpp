#include "training/benchmark/minimax_benchmark.hpp"

#include <cstdio>

#include "env/game.hpp"
#include "env/random.hpp"
#include "mcts/baseline/minimax.hpp"
#include "training/benchmark/middle_games.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr int kMinimaxPositions = 12;
constexpr int kLoopDepth = 7;

// Searches all games a run; units are nodes.
class SearchWorkload final : public Workload {
 public:
  SearchWorkload(const std::vector<env::Game>& games, const mcts::MinimaxConfig& config)
      : games_(games), minimax_(config) {}

  long run() override {
    std::uint64_t nodes = 0;
    for (const env::Game& game : games_)
      nodes += minimax_.search(game).nodes;
    return static_cast<long>(nodes);
  }

 private:
  std::vector<env::Game> games_;
  mcts::Minimax minimax_;
};

class LoopWorkload final : public Workload {
 public:
  explicit LoopWorkload(const env::RuleSet& rules) : rules_(rules) {}

  long run() override { return positions_below(env::initial_board(), kLoopDepth); }

 private:
  long positions_below(const env::Board& board, int depth) const {
    long count = 0;
    const env::LegalMask legal = env::legal_moves(rules_, board);
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((legal >> move & 1) == 0) continue;
      env::Board next = board;
      env::play(rules_, next, move);
      count += 1 + (depth > 1 ? positions_below(next, depth - 1) : 0);
    }
    return count;
  }

  env::RuleSet rules_;
};

void add(const std::string& name, int searches, std::unique_ptr<Workload> workload,
         std::vector<Contestant>& contestants, std::vector<MinimaxMeasurement>& measurements) {
  measurements.push_back({name, searches, workload->run(), {}});
  contestants.push_back({name, {}});
  contestants.back().workloads.push_back(std::move(workload));
}

}  // namespace

std::vector<MinimaxMeasurement> benchmark_minimax(const MinimaxBenchmarkConfig& config) {
  config.rules.validate();
  const std::vector<env::Game> games = middle_games(config.rules, kMinimaxPositions);
  const std::vector<env::Game> start{env::Game(config.rules)};
  std::vector<Contestant> contestants;
  std::vector<MinimaxMeasurement> measurements;
  add("moves", 1, std::make_unique<LoopWorkload>(config.rules), contestants, measurements);
  for (const auto evaluation : {mcts::MinimaxEvaluation::kSeeds, mcts::MinimaxEvaluation::kTuned}) {
    mcts::MinimaxConfig search;
    search.depth = config.depth;
    search.evaluation = evaluation;
    const std::string name = to_string(evaluation);
    add(name, kMinimaxPositions, std::make_unique<SearchWorkload>(games, search), contestants,
        measurements);
    add(name + ", start", 1, std::make_unique<SearchWorkload>(start, search), contestants,
        measurements);
  }
  Progress progress("bench", "measurements",
                    contestants.size() * static_cast<std::size_t>(config.measure.rounds));
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  for (std::size_t i = 0; i < rates.size(); ++i) {
    measurements[i].nodes_per_s = rates[i];
    measurements[i].ratio = rates[i].median / rates[0].median;
  }
  return measurements;
}

std::string to_text(const std::vector<MinimaxMeasurement>& measurements) {
  std::string text =
      "million nodes a second on one thread, median [lowest, highest] of the rounds\n"
      "search          searches      nodes  ms/search  Mnodes/s                 ratio\n";
  for (const auto& one : measurements) {
    char line[160];
    std::snprintf(line, sizeof(line), "%-14s  %8d %10lld  %9.3f  %7.2f [%.2f, %.2f]  %5.2fx\n",
                  one.name.c_str(), one.searches, static_cast<long long>(one.nodes),
                  one.ms_a_search(), one.nodes_per_s.median * 1e-6, one.nodes_per_s.lowest * 1e-6,
                  one.nodes_per_s.highest * 1e-6, one.ratio);
    text += line;
  }
  return text;
}

nlohmann::json to_json(const std::vector<MinimaxMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"search", one.name},
                    {"searches", one.searches},
                    {"nodes", one.nodes},
                    {"ms_a_search", one.ms_a_search()},
                    {"nodes_per_s", one.nodes_per_s.median},
                    {"lowest", one.nodes_per_s.lowest},
                    {"highest", one.nodes_per_s.highest},
                    {"ratio", one.ratio}});
  }
  return list;
}

}  // namespace awale::training
