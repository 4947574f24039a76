#include "training/benchmark/learner_benchmark.hpp"

#include <cstdio>

#include "env/random.hpp"
#include "training/learner.hpp"
#include "training/learner_kernel.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr std::size_t kRows = 1 << 16;  // more than the caches hold, as a replay buffer has

// Plies of random games with targets drawn at random.
std::vector<TrainingRow> random_rows(const env::RuleSet& rules) {
  std::vector<TrainingRow> rows;
  rows.reserve(kRows);
  for (std::uint64_t id = 0; rows.size() < kRows; ++id) {
    env::RandomStream stream(1, env::RandomPurpose::kRollout, id, 0);
    env::Game game(rules);
    while (!game.over() && rows.size() < kRows) {
      TrainingRow row;
      row.position = game.position();
      row.legal = game.legal();
      const auto move = env::random_move(game.legal(), stream);
      row.policy[move] = 1;
      row.win_draw_loss[stream.below(3)] = 1;
      row.margin_seeds = static_cast<float>(stream.below(97)) - 48.0F;
      rows.push_back(row);
      game.play(move);
    }
  }
  return rows;
}

class Steps : public Workload {
 public:
  Steps(const LearnerConfig& config, const env::RuleSet& rules, const nn::NetworkConfig& network,
        const std::vector<TrainingRow>& rows)
      : config_(config),
        learner_(config, {rules}, initial_learner_state(network, 1)),
        rows_(rows),
        batch_(static_cast<std::size_t>(config.batch_rows)) {}

  long run() override {
    // Far from each other, as rows of many games are.
    for (std::size_t i = 0; i < batch_.size(); ++i)
      batch_[i] = &rows_[(next_ + i * 12'289) % rows_.size()];
    next_ += batch_.size();
    learner_.step(batch_, config_.learning_rate);
    return 1;
  }

 private:
  LearnerConfig config_;
  Learner learner_;
  const std::vector<TrainingRow>& rows_;
  std::vector<const TrainingRow*> batch_;
  std::size_t next_ = 0;
};

std::vector<LearnerKind> kinds_here() {
  std::vector<LearnerKind> kinds = {LearnerKind::kTorch, LearnerKind::kCpuFp32};
  if (find_learner_kernel(true) != nullptr) kinds.push_back(LearnerKind::kCpuBf16);
  return kinds;
}

}  // namespace

void LearnerBenchmarkConfig::validate() const {
  rules.validate();
  learner.validate();
  for (const auto& network : networks)
    network.validate();
}

std::vector<LearnerMeasurement> benchmark_learner(const LearnerBenchmarkConfig& config) {
  config.validate();
  const auto kinds = kinds_here();
  const auto rows = random_rows(config.rules);
  Progress progress(
      "bench", "measurements",
      config.networks.size() * kinds.size() * static_cast<std::size_t>(config.measure.rounds));
  std::vector<LearnerMeasurement> measurements;
  for (const auto& network : config.networks) {
    std::vector<Contestant> contestants;
    for (const LearnerKind kind : kinds) {
      LearnerConfig learner = config.learner;
      learner.kind = kind;
      contestants.push_back({to_string(kind), {}});
      contestants.back().workloads.push_back(
          std::make_unique<Steps>(learner, config.rules, network, rows));
    }
    const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      measurements.push_back({nn::to_string(network), contestants[i].name,
                              config.learner.batch_rows, 1e3 / rates[i].median,
                              1e3 / rates[i].highest, 1e3 / rates[i].lowest,
                              rates[i].median / rates[0].median});
    }
  }
  return measurements;
}

std::string to_text(const std::vector<LearnerMeasurement>& measurements) {
  std::string text =
      "milliseconds a step: median [lowest, highest] of the rounds; x: times torch\n"
      "network  learner    rows      ms\n";
  for (const auto& one : measurements) {
    char line[160];
    std::snprintf(line, sizeof(line), "%-8s %-8s %6d  %6.2f [%.2f, %.2f]  %.1fx\n",
                  one.network.c_str(), one.kind.c_str(), one.batch_rows, one.step_ms,
                  one.fastest_ms, one.slowest_ms, one.ratio);
    text += line;
  }
  return text;
}

nlohmann::json to_json(const std::vector<LearnerMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"network", one.network},
                    {"learner", one.kind},
                    {"rows", one.batch_rows},
                    {"step_ms", one.step_ms},
                    {"fastest_ms", one.fastest_ms},
                    {"slowest_ms", one.slowest_ms},
                    {"ratio", one.ratio}});
  }
  return list;
}

}  // namespace awale::training
