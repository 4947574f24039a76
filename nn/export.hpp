// Hands a network out to other programs: TorchScript, ONNX or plain weights in HDF5.
//
// TorchScript and ONNX models take `features`, int64 [B, K], the active features of encode(), and
// return `policy_logits` [B, 6], `win_draw_loss` [B, 3] (probabilities) and `margin_seeds` [B], all
// of the mover, and those of networks with auxiliary heads `margin_distribution` [B, 97]
// (probabilities of -48..48 seeds) and `plies_left` [B]. All formats carry the encoder's version,
// the rules and the table of feature blocks; see README.md for reading them. No LibTorch in this
// header.
#pragma once

#include <filesystem>
#include <span>

#include "env/rules.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

enum class ExportFormat { kTorchScript, kOnnx, kWeights };

// How the file read back compares with the network it was made from.
struct ExportCheck {
  int positions = 0;          // of games played at random
  double max_difference = 0;  // of any output, relative to its largest value, of probabilities to
                              // that of their logarithms, at least 1
};

inline constexpr double kExportTolerance = 1e-5;

// Writes the network with the rule sets that it knows, the usual one first, reads the file back,
// compares it with LibTorch's evaluation under the first and only then puts it at `path`. Throws
// InputError(kWrite) if it cannot be written or differs by more than kExportTolerance; then `path`
// is as it was before.
ExportCheck export_network(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                           ExportFormat format, const std::filesystem::path& path);

}  // namespace awale::nn
