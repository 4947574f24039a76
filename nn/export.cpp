#include "nn/export.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/atomic_file.hpp"
#include "nn/eigen_evaluator.hpp"
#include "nn/encoder.hpp"
#include "nn/export_formats.hpp"
#include "nn/hdf5_file.hpp"

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

void write(ExportFormat format, const NetworkWeights& weights, const env::RuleSet& rules,
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

ModelOutputs run_weights(const std::filesystem::path& path, const env::RuleSet& rules,
                         std::span<const env::Position> positions) {
  const auto weights = std::make_shared<NetworkWeights>(load(Hdf5Reader(path), "network"));
  std::vector<Evaluation> evaluations(positions.size());
  make_eigen_evaluator(weights)->evaluate(rules, positions, evaluations);
  ModelOutputs outputs;
  const auto append = [](std::vector<float>& to, const auto& values) {
    to.insert(to.end(), values.begin(), values.end());
  };
  for (const Evaluation& one : evaluations) {
    append(outputs.policy_logits, one.policy_logits);
    append(outputs.win_draw_loss, one.win_draw_loss);
    outputs.margin_seeds.push_back(one.margin_seeds);
  }
  if (!weights->config.auxiliary) return outputs;
  std::vector<AuxiliaryEvaluation> auxiliary(positions.size());
  evaluate_auxiliary(*weights, rules, positions, auxiliary);
  for (const AuxiliaryEvaluation& one : auxiliary) {
    append(outputs.margin_distribution, one.margin_distribution);
    outputs.plies_left.push_back(one.plies_left);
  }
  return outputs;
}

ModelOutputs run(ExportFormat format, const std::filesystem::path& path, const env::RuleSet& rules,
                 std::span<const env::Position> positions) {
  switch (format) {
    case ExportFormat::kTorchScript:
      return run_torchscript(path, features_of(rules, positions));
    case ExportFormat::kOnnx:
      return run_onnx(path, features_of(rules, positions));
    case ExportFormat::kWeights:
      return run_weights(path, rules, positions);
  }
  AWALE_CHECK(false, "no format " << static_cast<int>(format));
}

// As max_difference() of evaluations: each relative to max(1, its size), on the scale of the heads.
double max_difference(const std::vector<float>& expected, const std::vector<float>& found,
                      float scale) {
  AWALE_CHECK(found.size() == expected.size(), found.size());
  double largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto left = static_cast<double>(expected[i] / scale);
    const double difference =
        std::abs(left - static_cast<double>(found[i] / scale)) / std::max(1.0, std::abs(left));
    // Written so that NaN counts as the largest difference of all.
    if (!(difference <= largest)) largest = std::isnan(difference) ? HUGE_VAL : difference;
  }
  return largest;
}

double max_difference(const ModelOutputs& expected, const ModelOutputs& found) {
  return std::max({max_difference(expected.policy_logits, found.policy_logits, 1),
                   max_difference(expected.win_draw_loss, found.win_draw_loss, 1),
                   max_difference(expected.margin_seeds, found.margin_seeds, kMarginScaleSeeds),
                   max_difference(expected.margin_distribution, found.margin_distribution, 1),
                   max_difference(expected.plies_left, found.plies_left, kPliesScale)});
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

std::vector<std::pair<std::string, std::string>> export_metadata(const NetworkWeights& weights,
                                                                 const env::RuleSet& rules) {
  nlohmann::json rules_json;
  for (const auto& [key, value] : env::to_key_values(rules))
    rules_json[key] = value;
  const nlohmann::json network = {
      {"blocks", weights.config.blocks},
      {"width", weights.config.width},
      {"auxiliary_columns", weights.config.auxiliary ? kAuxiliaryColumns : 0}};
  return {{"encoder_version", std::to_string(weights.encoder_version)},
          {"active_features", std::to_string(kActiveFeatures)},
          {"features", std::to_string(kFeatures)},
          {"network", network.dump()},
          {"rules", rules_json.dump()},
          {"feature_blocks", feature_blocks_json().dump()}};
}

void write_weights(const NetworkWeights& weights, const env::RuleSet& rules,
                   const std::filesystem::path& path) {
  Hdf5Writer file;
  file.attribute("/", "kind", std::string("weights"));
  for (const auto& [key, value] : env::to_key_values(rules))
    file.attribute("rules", key, value);
  file.attribute("/", "feature_blocks", feature_blocks_json().dump());
  store(weights, file, "network");
  file.write(path);
}

ExportCheck export_network(const NetworkWeights& weights, const env::RuleSet& rules,
                           ExportFormat format, const std::filesystem::path& path) {
  require_replaceable(path);
  const UncheckedFile file(path.string() + ".unchecked");
  write(format, weights, rules, file.path);
  const ExportCheck result = check(format, weights, rules, file.path);
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
