#include "nn/export.hpp"

#include <algorithm>
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
#include "nn/torch_evaluator.hpp"

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

std::vector<Evaluation> evaluations_of(const ModelOutputs& outputs) {
  std::vector<Evaluation> evaluations(outputs.margin_seeds.size());
  auto policy = outputs.policy_logits.begin();
  auto wdl = outputs.win_draw_loss.begin();
  for (std::size_t i = 0; i < evaluations.size(); ++i, policy += env::kMoves, wdl += 3) {
    std::copy_n(policy, env::kMoves, evaluations[i].policy_logits.begin());
    std::copy_n(wdl, 3, evaluations[i].win_draw_loss.begin());
    evaluations[i].margin_seeds = outputs.margin_seeds[i];
  }
  return evaluations;
}

std::vector<Evaluation> run_weights(const std::filesystem::path& path, const env::RuleSet& rules,
                                    std::span<const env::Position> positions) {
  const auto weights = std::make_shared<NetworkWeights>(load(Hdf5Reader(path), "network"));
  std::vector<Evaluation> evaluations(positions.size());
  make_eigen_evaluator(weights)->evaluate(rules, positions, evaluations);
  return evaluations;
}

std::vector<Evaluation> run(ExportFormat format, const std::filesystem::path& path,
                            const env::RuleSet& rules, std::span<const env::Position> positions) {
  switch (format) {
    case ExportFormat::kTorchScript:
      return evaluations_of(run_torchscript(path, features_of(rules, positions)));
    case ExportFormat::kOnnx:
      return evaluations_of(run_onnx(path, features_of(rules, positions)));
    case ExportFormat::kWeights:
      return run_weights(path, rules, positions);
  }
  AWALE_CHECK(false, "no format " << static_cast<int>(format));
}

ExportCheck check(ExportFormat format, const NetworkWeights& weights, const env::RuleSet& rules,
                  const std::filesystem::path& path) {
  const auto positions = random_play(rules);
  std::vector<Evaluation> expected(positions.size());
  make_torch_evaluator(make_device_network(weights, Device::kCpu))
      ->evaluate(rules, positions, expected);
  const auto found = run(format, path, rules, positions);
  AWALE_CHECK(found.size() == expected.size(), found.size());
  ExportCheck result{static_cast<int>(positions.size()), 0};
  for (std::size_t i = 0; i < positions.size(); ++i) {
    result.max_difference = std::max(result.max_difference, max_difference(expected[i], found[i]));
  }
  return result;
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
  const nlohmann::json network = {{"blocks", weights.config.blocks},
                                  {"width", weights.config.width}};
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
