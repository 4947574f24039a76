#include "training/benchmark/endgame_benchmark.hpp"

#include <cstdio>
#include <memory>

#include "env/endgame/table.hpp"
#include "env/random.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kBoards = 1 << 16;  // 1 MiB: they stay in the cache, the table does not

// Boards of a table by chance, and where they stand.
struct Boards {
  std::vector<env::Board> boards;
  std::vector<std::uint64_t> indices;
};

Boards random_boards(const env::EndgameTable& table) {
  env::RandomStream random(1, env::RandomPurpose::kTest, 0, 0);
  Boards all;
  for (std::size_t i = 0; i < kBoards; ++i) {
    all.indices.push_back(random() % env::layer_begin(table.seeds() + 1));
    all.boards.push_back(env::to_board(env::board_at(all.indices.back())));
  }
  return all;
}

enum class Lookup { kArray, kProbe, kChain };

class LookupWorkload final : public Workload {
 public:
  LookupWorkload(const env::EndgameTable& table, const Boards& boards, Lookup lookup)
      : table_(table), boards_(boards), lookup_(lookup) {}

  long run() override {
    long sum = 0;
    for (std::size_t i = 0; i < kBoards; ++i) {
      if (lookup_ == Lookup::kArray) {
        sum += table_.array()[boards_.indices[i]].win;
      } else {
        const auto next = lookup_ == Lookup::kChain ? static_cast<std::size_t>(sum) & 1 : 0;
        sum += table_.probe(boards_.boards[i ^ next])->high + env::kSeeds;
      }
    }
    sink_ = sum;  // so that no lookup is left out
    return kBoards;
  }

 private:
  const env::EndgameTable& table_;
  const Boards& boards_;
  Lookup lookup_;
  volatile long sink_ = 0;
};

}  // namespace

std::vector<EndgameMeasurement> benchmark_endgame(const EndgameBenchmarkConfig& config) {
  const env::EndgameTable table = env::EndgameTable::open(config.table);
  const Boards boards = random_boards(table);
  std::vector<Contestant> contestants;
  for (const auto& [name, lookup] :
       {std::pair("array", Lookup::kArray), std::pair("probe", Lookup::kProbe),
        std::pair("chain", Lookup::kChain)}) {
    contestants.push_back({name, {}});
    contestants.back().workloads.push_back(std::make_unique<LookupWorkload>(table, boards, lookup));
  }
  Progress progress("bench", "measurements",
                    contestants.size() * static_cast<std::size_t>(config.measure.rounds));
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  std::vector<EndgameMeasurement> measurements;
  for (std::size_t i = 0; i < rates.size(); ++i)
    measurements.push_back({contestants[i].name, rates[i]});
  return measurements;
}

std::string to_text(const std::vector<EndgameMeasurement>& measurements) {
  std::string text = "lookup      ns  million a second: median [lowest, highest] of the rounds\n";
  for (const auto& one : measurements) {
    char line[128];
    std::snprintf(line, sizeof(line), "%-6s  %6.1f  %8.2f [%.2f, %.2f]\n", one.name.c_str(),
                  one.nanoseconds(), one.per_s.median * 1e-6, one.per_s.lowest * 1e-6,
                  one.per_s.highest * 1e-6);
    text += line;
  }
  return text;
}

nlohmann::json to_json(const std::vector<EndgameMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"lookup", one.name},
                    {"nanoseconds", one.nanoseconds()},
                    {"per_s", one.per_s.median},
                    {"lowest", one.per_s.lowest},
                    {"highest", one.per_s.highest}});
  }
  return list;
}

}  // namespace awale::training
