#include "training/benchmark/env_benchmark.hpp"

#include <algorithm>
#include <cstdio>
#include <future>

#include "env/error.hpp"
#include "training/benchmark/env_workloads.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr int kLimitGames = 4096;  // the size at which the limits are measured

env::RuleSet with_repetition(env::RuleSet rules, int repetition) {
  if (repetition == 0) {
    rules.repetition_occurrence = 0;
    if (rules.ply_limit == 0) rules.ply_limit = 1000;  // games have to end
  } else if (rules.repetition_occurrence == 0) {
    rules.repetition_occurrence = 2;
  }
  return rules;
}

std::vector<Contestant> make_contestants(const std::vector<std::string>& names,
                                         const env::RuleSet& rules, int games, int threads) {
  std::vector<Contestant> contestants;
  for (const auto& name : names) {
    // Each in a thread of its own, so that their memory lies apart as in a program with threads.
    std::vector<std::future<std::unique_ptr<Workload>>> workloads;
    for (int thread = 0; thread < threads; ++thread) {
      const auto seed = static_cast<std::uint64_t>(thread + 1);
      workloads.push_back(
          std::async(std::launch::async, make_env_workload, name, rules, games, seed));
    }
    contestants.push_back({name, {}});
    for (auto& workload : workloads)
      contestants.back().workloads.push_back(workload.get());
  }
  return contestants;
}

const EnvMeasurement* find_naive(const std::vector<EnvMeasurement>& all,
                                 const EnvMeasurement& like) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const EnvMeasurement& one) {
    return one.kernel == "naive" && one.games == like.games && one.threads == like.threads &&
           one.repetition == like.repetition;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

void EnvBenchmarkConfig::validate() const {
  for (const int counted : repetition)
    with_repetition(rules, counted).validate();
  const auto known = env_contestants();
  for (const auto& kernel : kernels) {
    if (std::find(known.begin(), known.end(), kernel) != known.end()) continue;
    std::string names;
    for (const auto& name : known)
      names += (names.empty() ? "" : ", ") + name;
    throw InputError(ErrorKind::kUsage,
                     "--kernel: expected one of " + names + ", found '" + kernel + "'");
  }
}

std::vector<EnvMeasurement> benchmark_env(const EnvBenchmarkConfig& config) {
  config.validate();
  const auto names = config.kernels.empty() ? env_contestants() : config.kernels;
  const std::size_t settings =
      config.games.size() * config.threads.size() * config.repetition.size();
  Progress progress(
      "bench", "measurements",
      (settings * names.size() + 5) * static_cast<std::size_t>(config.measure.rounds));
  std::vector<EnvMeasurement> measurements;
  const auto add = [&](const std::vector<Contestant>& contestants, int games, int threads,
                       int repetition) {
    const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
    for (std::size_t i = 0; i < rates.size(); ++i)
      measurements.push_back({contestants[i].name, games, threads, repetition != 0, rates[i]});
  };
  for (const int repetition : config.repetition) {
    const env::RuleSet rules = with_repetition(config.rules, repetition);
    for (const int threads : config.threads) {
      for (const int games : config.games)
        add(make_contestants(names, rules, games, threads), games, threads, repetition);
    }
  }
  add(make_env_limits(env::kernels().front(), with_repetition(config.rules, 0), kLimitGames),
      kLimitGames, 1, 0);
  return measurements;
}

std::string to_text(const std::vector<EnvMeasurement>& measurements) {
  std::string text =
      "million moves a second: median [lowest, highest] of the rounds; x: times naive\n"
      "repetition threads  games  kernel                            moves\n";
  for (const auto& one : measurements) {
    const EnvMeasurement* naive = find_naive(measurements, one);
    char line[200];
    std::snprintf(line, sizeof(line), "%-10s %7d %6d  %-30s %9.2f [%.2f, %.2f]",
                  one.repetition ? "yes" : "no", one.threads, one.games, one.kernel.c_str(),
                  one.moves_per_s.median * 1e-6, one.moves_per_s.lowest * 1e-6,
                  one.moves_per_s.highest * 1e-6);
    text += line;
    if (naive != nullptr && naive != &one) {
      std::snprintf(line, sizeof(line), "  %.1fx",
                    one.moves_per_s.median / naive->moves_per_s.median);
      text += line;
    }
    text += '\n';
  }
  return text;
}

nlohmann::json to_json(const std::vector<EnvMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"kernel", one.kernel},
                    {"games", one.games},
                    {"threads", one.threads},
                    {"repetition", one.repetition},
                    {"moves_per_s", one.moves_per_s.median},
                    {"lowest", one.moves_per_s.lowest},
                    {"highest", one.moves_per_s.highest}});
  }
  return list;
}

}  // namespace awale::training
