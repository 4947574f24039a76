// A network as plain arrays, without LibTorch: the form in which checkpoints keep it, the Eigen
// evaluator runs it and `awale export --format weights` hands it out.
//
// The network is a residual MLP without batch norm (so training and play agree by construction):
//   x = relu(sum of input.weight[f] over active features f + input.bias)            [B, W]
//   repeat `blocks` times: x = relu(x + linear2(relu(linear1(x))))                  [B, W]
//   heads(x): 6 policy logits, 3 win/draw/loss logits, margin / 24                  [B, 10]
//   auxiliary(x): 97 logits of the final margin, plies left / 64                    [B, 98]
// with linear(x) = x * weight^T + bias. The auxiliary heads teach the layers below and tell people
// more; no search asks them, and networks of before them have none.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nn/evaluator.hpp"

namespace awale::nn {

class Hdf5Reader;
class Hdf5Writer;

struct NetworkConfig {
  int blocks = 2;         // residual blocks of two linear layers each
  int width = 128;        // W
  bool auxiliary = true;  // whether there are auxiliary heads
  // Throws InputError(kUsage) naming the field.
  void validate() const;
  friend bool operator==(const NetworkConfig&, const NetworkConfig&) = default;
};

// "2x128": blocks and width. Parsing throws InputError(kUsage).
std::string to_string(const NetworkConfig& config);
NetworkConfig parse_network_config(const std::string& text);

// Columns of the heads' output.
inline constexpr int kPolicyColumn = 0;  // 6 logits
inline constexpr int kWdlColumn = 6;     // 3 logits: win, draw, loss
inline constexpr int kMarginColumn = 9;  // expected final margin / kMarginScaleSeeds
inline constexpr int kHeadColumns = 10;
inline constexpr float kMarginScaleSeeds = 24.0F;

// Columns of the auxiliary heads' output.
inline constexpr int kLargestMargin = 48;                      // seeds
inline constexpr int kMarginClasses = 2 * kLargestMargin + 1;  // logits of margins -48..48, as in
                                                               // KataGo (Wu 2019), first columns
inline constexpr int kPliesColumn = kMarginClasses;  // plies to the game's end / kPliesScale, as in
                                                     // lc0's "moves left"
inline constexpr int kAuxiliaryColumns = kPliesColumn + 1;
inline constexpr float kPliesScale = 64.0F;

struct NamedTensor {
  std::string name;                // e.g. "input.weight", "blocks.0.linear1.bias"
  std::vector<std::size_t> shape;  // input.weight [F, W], linear weights [out, in], biases [out]
  std::vector<float> values;       // row-major
};

struct NetworkWeights {
  NetworkConfig config;
  int encoder_version = 0;
  std::vector<NamedTensor> tensors;  // in the order of tensor_shapes()
  // The tensor called `name`, which must exist.
  const NamedTensor& at(const std::string& name) const;
};

// Names and shapes of all tensors of a network, values empty, in the one order used everywhere.
std::vector<NamedTensor> tensor_shapes(const NetworkConfig& config);

// Fresh weights, a function of (config, seed) alone (random stream kNetworkInit, one game number a
// tensor). He et al., "Delving deep into rectifiers" (ICCV 2015), uniform form; the second layer of
// each residual block is scaled down by sqrt(blocks) so that deep networks start stable, and the
// heads are so small that an untrained network is nearly uniform and even. Biases are 0.
NetworkWeights initial_weights(const NetworkConfig& config, std::uint64_t seed);

// Of one row of the heads' output: the softmax of the three outcomes and the margin in seeds.
Evaluation evaluation_of(std::span<const float, kHeadColumns> heads);

// What the auxiliary heads say of a position.
struct AuxiliaryEvaluation {
  // Of the mover's final seeds minus the opponent's being -48..48; sums to 1.
  std::array<float, kMarginClasses> margin_distribution = {};
  float plies_left = 0;  // to the game's end, the position's own move included; not negative
};

// Of one row of the auxiliary heads' output.
AuxiliaryEvaluation auxiliary_of(std::span<const float, kAuxiliaryColumns> outputs);

// The smallest margin, in seeds, of which as much as `share` of the distribution is not larger: 0.5
// for the median.
int margin_quantile(const AuxiliaryEvaluation& evaluation, double share);

// The largest difference between two outputs of a network, each relative to max(1, its size), the
// margin on the scale of the heads: what "equal within 1e-5" means for evaluators and exports.
double max_difference(const Evaluation& left, const Evaluation& right);

// Stores the network below `group` ("network"): attributes blocks, width, encoder_version,
// auxiliary_columns (0: no auxiliary heads), one dataset a tensor.
void store(const NetworkWeights& weights, Hdf5Writer& file, const std::string& group);
// Files of before the auxiliary heads have no such attribute and give a network without them; those
// of encoder 1 give a network that computes the same with today's encoder. Throws InputError(kFile)
// for missing or misshapen tensors and non-finite values, kMismatch for an encoder version that
// this build does not know.
NetworkWeights load(const Hdf5Reader& file, const std::string& group);

}  // namespace awale::nn
