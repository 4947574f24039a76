// What export_network() is made of: writers of the formats, and runners that compute from a file
// alone what it says. Only for nn/export*.cpp and their tests.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "env/rules.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

inline constexpr const char* kFeaturesName = "features";
inline constexpr const char* kPolicyName = "policy_logits";
inline constexpr const char* kWdlName = "win_draw_loss";
inline constexpr const char* kMarginName = "margin_seeds";
inline constexpr const char* kDistributionName = "margin_distribution";
inline constexpr const char* kPliesName = "plies_left";

// What a reader needs beside the network, as (key, value) text: encoder_version, active_features,
// features, and as JSON network, rules (a list, the usual ones first) and feature_blocks.
std::vector<std::pair<std::string, std::string>> export_metadata(
    const NetworkWeights& weights, std::span<const env::RuleSet> rules);

// Written atomically; InputError(kWrite).
void write_torchscript(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                       const std::filesystem::path& path);
void write_onnx(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                const std::filesystem::path& path);
void write_weights(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                   const std::filesystem::path& path);

// The outputs of a model, row-major.
struct ModelOutputs {
  std::vector<float> policy_logits;  // [B, 6]
  std::vector<float> win_draw_loss;  // [B, 3]
  std::vector<float> margin_seeds;   // [B]
  // Empty where the network has no auxiliary heads.
  std::vector<float> margin_distribution;  // [B, 97]
  std::vector<float> plies_left;           // [B]
};

// The network itself by LibTorch: what the files are compared with.
ModelOutputs run_network(const NetworkWeights& weights, std::span<const std::int64_t> features);

// Loads the file and runs it on `features` [B, K].
ModelOutputs run_torchscript(const std::filesystem::path& path,
                             std::span<const std::int64_t> features);
// With a small interpreter of the operators that write_onnx() uses, because Debian has no ONNX
// Runtime for C++; the tests run ONNX Runtime itself.
ModelOutputs run_onnx(const std::filesystem::path& path, std::span<const std::int64_t> features);

}  // namespace awale::nn
