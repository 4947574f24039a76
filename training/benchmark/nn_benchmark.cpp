#include "training/benchmark/nn_benchmark.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <future>
#include <map>

#include "env/error.hpp"
#include "training/benchmark/nn_workloads.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr int kEncoderBatch = 256;  // the size at which encoders are measured

constexpr std::size_t kProductsColumn = 74;  // of the table

double block_flops(const nn::NetworkConfig& network) {
  return 4.0 * network.blocks * network.width * network.width;
}

double network_flops(const nn::NetworkConfig& network) {
  return block_flops(network) + 2.0 * nn::kHeadColumns * network.width;
}

// A workload a thread, each made in a thread of its own, so that their memory lies apart.
Contestant make_contestant(const std::string& name, int threads,
                           const std::function<std::unique_ptr<Workload>()>& make) {
  std::vector<std::future<std::unique_ptr<Workload>>> workloads;
  for (int thread = 0; thread < threads; ++thread)
    workloads.push_back(std::async(std::launch::async, make));
  Contestant contestant{name, {}};
  for (auto& workload : workloads)
    contestant.workloads.push_back(workload.get());
  return contestant;
}

// The bare products that the evaluators are compared with, each once.
std::vector<std::string> products_of(const std::vector<std::string>& evaluators) {
  std::vector<std::string> products;
  for (const auto& name : evaluators) {
    const std::string product = product_of(name);
    if (std::find(products.begin(), products.end(), product) == products.end())
      products.push_back(product);
  }
  return products;
}

// All evaluators with one network, one batch size and one number of threads.
std::vector<NnMeasurement> benchmark_setting(const NnBenchmarkConfig& config,
                                             const std::vector<std::string>& evaluators,
                                             const nn::NetworkConfig& network, int batch,
                                             int threads, Progress& progress) {
  const auto weights = nn::initial_weights(network, 1);
  std::vector<Contestant> contestants;
  for (const auto& name : evaluators) {
    contestants.push_back(make_contestant(
        name, threads, [&] { return make_nn_workload(name, weights, config.rules, batch); }));
  }
  for (const auto& product : products_of(evaluators)) {
    contestants.push_back(make_contestant(
        product, threads, [&] { return make_product_workload(product, weights, batch); }));
  }
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  std::map<std::string, double> medians;
  for (std::size_t i = 0; i < rates.size(); ++i)
    medians[contestants[i].name] = rates[i].median;
  std::vector<NnMeasurement> measurements;
  for (std::size_t i = 0; i < evaluators.size(); ++i) {
    const std::string& name = evaluators[i];
    const double median = rates[i].median;
    const double torch = medians.contains(kTorchEngine) ? median / medians[kTorchEngine] : 0;
    measurements.push_back({to_string(network), name, batch, threads, rates[i],
                            median * network_flops(network) * 1e-9,
                            medians[product_of(name)] * block_flops(network) * 1e-9, torch});
  }
  return measurements;
}

std::vector<NnMeasurement> benchmark_encoders(const NnBenchmarkConfig& config, Progress& progress) {
  std::vector<Contestant> contestants;
  for (const auto& name : encoder_contestants()) {
    contestants.push_back(make_contestant(
        name, 1, [&] { return make_encoder_workload(name, config.rules, kEncoderBatch); }));
  }
  const auto rates = measure(contestants, config.measure, [&] { progress.advance(1); });
  std::vector<NnMeasurement> measurements;
  for (std::size_t i = 0; i < rates.size(); ++i)
    measurements.push_back({"", contestants[i].name, kEncoderBatch, 1, rates[i], 0, 0, 0});
  return measurements;
}

nlohmann::json number_or_null(double value) {
  return value == 0 ? nlohmann::json() : nlohmann::json(value);
}

}  // namespace

void NnBenchmarkConfig::validate() const {
  rules.validate();
  for (const auto& network : networks)
    network.validate();
  const auto known = nn_contestants();
  for (const auto& name : evaluators) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    std::string names;
    for (const auto& one : known)
      names += (names.empty() ? "" : ", ") + one;
    throw InputError(ErrorKind::kUsage,
                     "--evaluator: expected one of " + names + ", found '" + name + "'");
  }
}

std::vector<NnMeasurement> benchmark_nn(const NnBenchmarkConfig& config) {
  config.validate();
  const auto evaluators = config.evaluators.empty() ? nn_contestants() : config.evaluators;
  const std::size_t settings =
      config.networks.size() * config.batches.size() * config.threads.size();
  const std::size_t contestants = evaluators.size() + products_of(evaluators).size();
  Progress progress("bench", "measurements",
                    (settings * contestants + encoder_contestants().size()) *
                        static_cast<std::size_t>(config.measure.rounds));
  std::vector<NnMeasurement> measurements;
  const auto add = [&](const std::vector<NnMeasurement>& more) {
    measurements.insert(measurements.end(), more.begin(), more.end());
  };
  for (const auto& network : config.networks) {
    for (const int threads : config.threads) {
      for (const int batch : config.batches)
        add(benchmark_setting(config, evaluators, network, batch, threads, progress));
    }
  }
  add(benchmark_encoders(config, progress));
  return measurements;
}

std::string to_text(const std::vector<NnMeasurement>& measurements) {
  std::string text =
      "thousand rows a second: median [lowest, highest] of the rounds; GFLOP/s of the dense "
      "layers\n"
      "and of their bare products; x: times torch\n"
      "network  evaluator               threads  batch     rows                      GFLOP/s   "
      "bare\n";
  for (const auto& one : measurements) {
    char line[200];
    const Rate& rate = one.rows_per_s;
    std::snprintf(line, sizeof(line), "%-8s %-23s %7d %6d %8.1f [%.1f, %.1f]", one.network.c_str(),
                  one.evaluator.c_str(), one.threads, one.batch, rate.median * 1e-3,
                  rate.lowest * 1e-3, rate.highest * 1e-3);
    text += line;
    if (one.gflops != 0) {
      text.append(kProductsColumn - std::min(kProductsColumn, std::strlen(line)), ' ');
      std::snprintf(line, sizeof(line), " %8.1f %6.1f", one.gflops, one.bare_gflops);
      text += line;
    }
    if (one.ratio != 0) {
      std::snprintf(line, sizeof(line), "  %.2fx", one.ratio);
      text += line;
    }
    text += '\n';
  }
  return text;
}

nlohmann::json to_json(const std::vector<NnMeasurement>& measurements) {
  auto list = nlohmann::json::array();
  for (const auto& one : measurements) {
    list.push_back({{"network", one.network},
                    {"evaluator", one.evaluator},
                    {"batch", one.batch},
                    {"threads", one.threads},
                    {"rows_per_s", one.rows_per_s.median},
                    {"lowest", one.rows_per_s.lowest},
                    {"highest", one.rows_per_s.highest},
                    {"gflops", number_or_null(one.gflops)},
                    {"bare_gflops", number_or_null(one.bare_gflops)},
                    {"ratio", number_or_null(one.ratio)}});
  }
  return list;
}

}  // namespace awale::training
