// Every format written, read back and compared; metadata; failures that leave nothing behind.
#include "nn/export.hpp"

#include <fstream>
#include <iterator>

#include "nn/encoder.hpp"
#include "nn/export_formats.hpp"
#include "nn/hdf5_rules.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

namespace awale::test {
namespace {

using nn::ExportFormat;

const std::vector<ExportFormat> kFormats = {ExportFormat::kTorchScript, ExportFormat::kOnnx,
                                            ExportFormat::kWeights};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<env::RuleSet> only(const env::RuleSet& rules) {
  return {rules};
}

std::size_t files_in(const std::filesystem::path& path) {
  return std::distance(std::filesystem::directory_iterator(path), {});
}

TEST_CASE("Every format computes what the network does") {
  for (const nn::NetworkConfig config :
       {nn::NetworkConfig{1, 7}, nn::NetworkConfig{3, 64}, nn::NetworkConfig{2, 16, false}}) {
    for (const ExportFormat format : kFormats) {
      for (const char* name : {"abapa", "awari", "codingame"}) {
        const tests::TempDir dir;
        const auto path = dir / "network";
        const nn::ExportCheck check =
            nn::export_network(lively_weights(config, 1), only(env::preset(name)), format, path);
        INFO("format " << static_cast<int>(format) << " rules " << name);
        CHECK(check.positions >= 256);
        CHECK(check.max_difference <= nn::kExportTolerance);
        CHECK(std::filesystem::exists(path));
        CHECK(files_in(dir.path()) == 1);
      }
    }
  }
}

TEST_CASE("A network that is sure of itself, with large logits, is handed out, too") {
  nn::NetworkWeights weights = lively_weights({2, 256}, 4);
  for (nn::NamedTensor& tensor : weights.tensors) {
    if (tensor.name.starts_with("heads.") || tensor.name == "input.weight") {
      for (float& value : tensor.values)
        value *= 6;
    }
  }
  const tests::TempDir dir;
  for (const ExportFormat format : kFormats) {
    const nn::ExportCheck check =
        nn::export_network(weights, only(env::preset("abapa")), format, dir / "network");
    CHECK(check.max_difference <= nn::kExportTolerance);
  }
}

TEST_CASE("The same network gives the same bytes in every format") {
  const tests::TempDir dir;
  for (const ExportFormat format : kFormats) {
    for (const char* name : {"one", "two"}) {
      nn::export_network(lively_weights({1, 8}, 2), only({}), format, dir / name);
    }
    CHECK(bytes_of(dir / "one") == bytes_of(dir / "two"));
  }
}

TEST_CASE("Exported weights load with their rules") {
  const tests::TempDir dir;
  const nn::NetworkWeights weights = lively_weights({2, 8}, 3);
  const std::vector<env::RuleSet> rules = {env::preset("awari"), env::preset("codingame")};
  nn::export_network(weights, rules, ExportFormat::kWeights, dir / "network.h5");
  const nn::Hdf5Reader file(dir / "network.h5");
  CHECK(file.string_attribute("/", "kind") == "weights");
  CHECK(file.string_attribute("rules/1", "name") == "codingame");
  CHECK(nn::load_rule_sets(file) == rules);
  const nn::NetworkWeights back = nn::load(file, "network");
  for (std::size_t i = 0; i < weights.tensors.size(); ++i) {
    CHECK(back.tensors[i].values == weights.tensors[i].values);
  }
}

TEST_CASE("A network that cannot be checked is not exported") {
  // Overflows to infinity, in the first layer or behind it: outputs are NaN.
  for (const std::string layer : {"input.weight", "blocks.0.linear1.weight"}) {
    nn::NetworkWeights weights = lively_weights({1, 8}, 4);
    for (auto& tensor : weights.tensors) {
      if (tensor.name != layer) continue;
      for (float& value : tensor.values)
        value = 3e38F;
    }
    for (const ExportFormat format : kFormats) {
      const tests::TempDir dir;
      const auto path = dir / "network";
      const std::string error =
          error_of(ErrorKind::kWrite, [&] { nn::export_network(weights, only({}), format, path); });
      CHECK(contains(error, path.string()));
      CHECK(contains(error, "differs"));
      CHECK(files_in(dir.path()) == 0);
    }
  }
}

TEST_CASE("An export that cannot be written says so and leaves nothing behind") {
  for (const ExportFormat format : kFormats) {
    const tests::TempDir dir;
    const auto missing = dir / "nowhere/network";
    CHECK_FALSE(error_of(ErrorKind::kWrite, [&] {
                  nn::export_network(lively_weights({1, 8}, 5), only({}), format, missing);
                }).empty());
    // A directory in the way.
    std::filesystem::create_directory(dir / "taken");
    CHECK_FALSE(error_of(ErrorKind::kWrite, [&] {
                  nn::export_network(lively_weights({1, 8}, 5), only({}), format, dir / "taken");
                }).empty());
    CHECK(files_in(dir.path()) == 1);
  }
}

TEST_CASE("A network without auxiliary heads has no outputs of them") {
  const tests::TempDir dir;
  std::vector<std::int64_t> features(nn::kActiveFeatures);
  for (int k = 0; k < nn::kActiveFeatures; ++k)
    features[k] = nn::feature_blocks()[k].first;
  const nn::NetworkWeights weights = lively_weights({1, 8, false}, 6);
  nn::write_onnx(weights, only({}), dir / "onnx");
  nn::write_torchscript(weights, only({}), dir / "pt");
  for (const auto& outputs :
       {nn::run_onnx(dir / "onnx", features), nn::run_torchscript(dir / "pt", features)}) {
    CHECK(outputs.margin_seeds.size() == 1);
    CHECK(outputs.margin_distribution.empty());
    CHECK(outputs.plies_left.empty());
  }
}

TEST_CASE("The runners notice other weights") {
  const tests::TempDir dir;
  const nn::NetworkWeights weights = lively_weights({1, 8}, 6);
  std::vector<std::int64_t> features(nn::kActiveFeatures);
  for (int k = 0; k < nn::kActiveFeatures; ++k)
    features[k] = nn::feature_blocks()[k].first;
  const auto outputs = [&](const nn::NetworkWeights& changed) {
    nn::write_onnx(changed, only({}), dir / "onnx");
    nn::write_torchscript(changed, only({}), dir / "pt");
    const auto onnx = nn::run_onnx(dir / "onnx", features);
    const auto script = nn::run_torchscript(dir / "pt", features);
    CHECK(onnx.margin_seeds[0] == Approx(script.margin_seeds[0]).margin(1e-4));
    CHECK(onnx.policy_logits.size() == 6);
    CHECK(script.policy_logits.size() == 6);
    CHECK(onnx.margin_distribution.size() == nn::kMarginClasses);
    CHECK(script.plies_left.size() == 1);
    return std::array<double, 3>{onnx.margin_seeds[0], onnx.margin_distribution[3] * 100,
                                 onnx.plies_left[0]};
  };
  const auto before = outputs(weights);
  for (std::size_t i = 0; i < weights.tensors.size(); ++i) {
    nn::NetworkWeights changed = weights;
    for (float& value : changed.tensors[i].values)
      value += 0.25F;
    INFO(weights.tensors[i].name);
    const auto after = outputs(changed);
    double most = 0;
    for (std::size_t j = 0; j < after.size(); ++j)
      most = std::max(most, std::abs(after[j] - before[j]));
    CHECK(most > 1e-3);
  }
}

}  // namespace
}  // namespace awale::test
