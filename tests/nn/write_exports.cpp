// Writes a network in every format and what it says about positions of random games, for the tests
// in other languages: write_exports DIRECTORY PRESET
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/notation.hpp"
#include "nn/eigen_evaluator.hpp"
#include "nn/encoder.hpp"
#include "nn/export.hpp"
#include "nn/torch_evaluator.hpp"
#include "tests/nn/random_positions.hpp"

namespace awale::test {
namespace {

constexpr int kSamples = 300;

nlohmann::json samples(const nn::NetworkWeights& weights, const env::RuleSet& rules) {
  const auto positions = random_positions(rules, kSamples, 21);
  std::vector<nn::Evaluation> evaluations(positions.size());
  nn::make_torch_evaluator(nn::make_device_network(weights, nn::Device::kCpu))
      ->evaluate(rules, positions, evaluations);
  std::vector<nn::AuxiliaryEvaluation> auxiliary(positions.size());
  nn::evaluate_auxiliary(weights, rules, positions, auxiliary);
  auto rows = nlohmann::json::array();
  for (std::size_t i = 0; i < positions.size(); ++i) {
    std::vector<std::int32_t> features(nn::kActiveFeatures);
    nn::encode(rules, {&positions[i], 1}, features);
    rows.push_back({{"position", env::to_text(positions[i].board)},
                    {"features", features},
                    {"policy_logits", evaluations[i].policy_logits},
                    {"win_draw_loss", evaluations[i].win_draw_loss},
                    {"margin_seeds", evaluations[i].margin_seeds},
                    {"margin_distribution", auxiliary[i].margin_distribution},
                    {"plies_left", auxiliary[i].plies_left}});
  }
  return rows;
}

void write_exports(const std::filesystem::path& directory, const env::RuleSet& rules) {
  const nn::NetworkWeights weights = lively_weights({2, 64}, 20);
  const std::span<const env::RuleSet> only(&rules, 1);
  using nn::ExportFormat;
  nn::export_network(weights, only, ExportFormat::kTorchScript, directory / "awale.pt");
  nn::export_network(weights, only, ExportFormat::kOnnx, directory / "awale.onnx");
  nn::export_network(weights, only, ExportFormat::kWeights, directory / "awale.weights");
  std::ofstream(directory / "samples.json") << samples(weights, rules);
}

}  // namespace
}  // namespace awale::test

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: write_exports DIRECTORY PRESET\n", stderr);
    return 2;
  }
  awale::test::write_exports(argv[1], awale::env::preset(argv[2]));
  return 0;
}
