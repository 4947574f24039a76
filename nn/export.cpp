#include "nn/export.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/atomic_file.hpp"
#include "nn/encoder.hpp"
#include "nn/export_formats.hpp"
#include "nn/hdf5_file.hpp"
#include "nn/hdf5_rules.hpp"

namespace awale::nn {
namespace {

constexpr int kCheckPositions = 512;

std::vector<env::Position> random_play(const env::RuleSet& rules) {
  std::vector<env::Position> positions;
  for (std::uint64_t id = 0; positions.size() < kCheckPositions; ++id) {
    env::RandomStream stream(0, env::RandomPurpose::kOpening, id, 0);
    env::Game game(rules);
    while (!game.over() && positions.size() < kCheckPositions) {
      positions.push_back(game.position());
      game.play(env::random_move(game.legal(), stream));
    }
  }
  return positions;
}

void write(ExportFormat format, const NetworkWeights& weights, std::span<const env::RuleSet> rules,
           const std::filesystem::path& path) {
  switch (format) {
    case ExportFormat::kTorchScript:
      return write_torchscript(weights, rules, path);
    case ExportFormat::kOnnx:
      return write_onnx(weights, rules, path);
    case ExportFormat::kWeights:
      return write_weights(weights, rules, path);
  }
}

std::vector<std::int64_t> features_of(const env::RuleSet& rules,
                                      std::span<const env::Position> positions) {
  std::vector<std::int32_t> indices(positions.size() * kActiveFeatures);
  encode(rules, positions, indices);
  return {indices.begin(), indices.end()};
}

ModelOutputs run(ExportFormat format, const std::filesystem::path& path, const env::RuleSet& rules,
                 std::span<const env::Position> positions) {
  switch (format) {
    case ExportFormat::kTorchScript:
      return run_torchscript(path, features_of(rules, positions));
    case ExportFormat::kOnnx:
      return run_onnx(path, features_of(rules, positions));
    case ExportFormat::kWeights:
      return run_network(load(Hdf5Reader(path), "network"), features_of(rules, positions));
  }
  AWALE_CHECK(false, "no format " << static_cast<int>(format));
}

// The largest value in the batch, at least 1: a value near 0 may be a sum of large terms, and
// float32 rounds a sum by its terms, in an order that each program chooses for itself.
double largest_value(const std::vector<float>& values, float scale) {
  double largest = 1;
  for (const float value : values)
    largest = std::max(largest, std::abs(static_cast<double>(value / scale)));
  return largest;
}

// Of probabilities that of their logarithms, because they are as exact as the logits behind them:
// dp <= d(logit) / 2.
double largest_logit(const std::vector<float>& probabilities) {
  double largest = 1;
  for (const float probability : probabilities) {
    if (probability > 0) largest = std::max(largest, -std::log(static_cast<double>(probability)));
  }
  return largest;
}

// On the scale of the heads, relative to `largest`.
double max_difference(const std::vector<float>& expected, const std::vector<float>& found,
                      float scale, double largest) {
  AWALE_CHECK(found.size() == expected.size(), found.size());
  double difference = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double here =
        std::abs(static_cast<double>(expected[i] / scale) - static_cast<double>(found[i] / scale));
    // Written so that NaN counts as the largest difference of all.
    if (!(here <= difference)) difference = std::isnan(here) ? HUGE_VAL : here;
  }
  const double relative = difference / largest;
  return std::isnan(relative) ? HUGE_VAL : relative;  // infinite outputs
}

double max_difference(const ModelOutputs& expected, const ModelOutputs& found) {
  const auto values = [](const std::vector<float>& from, const std::vector<float>& to,
                         float scale) {
    return max_difference(from, to, scale, largest_value(from, scale));
  };
  const auto probabilities = [](const std::vector<float>& from, const std::vector<float>& to) {
    return max_difference(from, to, 1, largest_logit(from));
  };
  return std::max({values(expected.policy_logits, found.policy_logits, 1),
                   probabilities(expected.win_draw_loss, found.win_draw_loss),
                   values(expected.margin_seeds, found.margin_seeds, kMarginScaleSeeds),
                   probabilities(expected.margin_distribution, found.margin_distribution),
                   values(expected.plies_left, found.plies_left, kPliesScale)});
}

ExportCheck check(ExportFormat format, const NetworkWeights& weights, const env::RuleSet& rules,
                  const std::filesystem::path& path) {
  const auto positions = random_play(rules);
  const auto expected = run_network(weights, features_of(rules, positions));
  return {static_cast<int>(positions.size()),
          max_difference(expected, run(format, path, rules, positions))};
}

// Removed with the object unless it has been renamed.
struct UncheckedFile {
  explicit UncheckedFile(std::filesystem::path file) : path(std::move(file)) {}
  UncheckedFile(const UncheckedFile&) = delete;
  UncheckedFile& operator=(const UncheckedFile&) = delete;
  ~UncheckedFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }

  std::filesystem::path path;
};

nlohmann::json rules_json(std::span<const env::RuleSet> rules) {
  auto list = nlohmann::json::array();
  for (const env::RuleSet& one : rules) {
    nlohmann::json values;
    for (const auto& [key, value] : env::to_key_values(one))
      values[key] = value;
    list.push_back(values);
  }
  return list;
}

nlohmann::json feature_blocks_json() {
  auto blocks = nlohmann::json::array();
  for (const FeatureBlock& block : feature_blocks()) {
    blocks.push_back({{"name", block.name},
                      {"values", block.values},
                      {"first", block.first},
                      {"size", block.size}});
  }
  return blocks;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> export_metadata(
    const NetworkWeights& weights, std::span<const env::RuleSet> rules) {
  const nlohmann::json network = {
      {"blocks", weights.config.blocks},
      {"width", weights.config.width},
      {"auxiliary_columns", weights.config.auxiliary ? kAuxiliaryColumns : 0}};
  return {{"encoder_version", std::to_string(weights.encoder_version)},
          {"active_features", std::to_string(kActiveFeatures)},
          {"features", std::to_string(kFeatures)},
          {"network", network.dump()},
          {"rules", rules_json(rules).dump()},
          {"feature_blocks", feature_blocks_json().dump()}};
}

void write_weights(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                   const std::filesystem::path& path) {
  Hdf5Writer file;
  file.attribute("/", "kind", std::string("weights"));
  store_rule_sets(file, rules);
  file.attribute("/", "feature_blocks", feature_blocks_json().dump());
  store(weights, file, "network");
  file.write(path);
}

ExportCheck export_network(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                           ExportFormat format, const std::filesystem::path& path) {
  AWALE_CHECK(!rules.empty(), "no rules");
  require_replaceable(path);
  const UncheckedFile file(path.string() + ".unchecked");
  write(format, weights, rules, file.path);
  const ExportCheck result = check(format, weights, rules.front(), file.path);
  if (result.max_difference > kExportTolerance) {
    std::ostringstream message;
    message << path.string() << ": not written, because the exported network differs by "
            << result.max_difference << " from the original on " << result.positions
            << " positions; expected at most " << kExportTolerance;
    throw InputError(ErrorKind::kWrite, message.str());
  }
  std::error_code error;
  std::filesystem::rename(file.path, path, error);
  if (error) {
    throw InputError(ErrorKind::kWrite,
                     "cannot write '" + path.string() + "': renaming: " + error.message());
  }
  return result;
}

}  // namespace awale::nn
