#include "nn/weights.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <numeric>
#include <sstream>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/encoder.hpp"
#include "nn/hdf5_file.hpp"

namespace awale::nn {
namespace {

constexpr int kMaxBlocks = 64;
constexpr int kMaxWidth = 8192;

constexpr const char* kAuxiliaryAttribute = "auxiliary_columns";

constexpr double kHeadScale = 0.05;  // of the He standard deviation

std::size_t element_count(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

void add_linear(std::vector<NamedTensor>& tensors, const std::string& name, std::size_t out,
                std::size_t in) {
  tensors.push_back({name + ".weight", {out, in}, {}});
  tensors.push_back({name + ".bias", {out}, {}});
}

double initial_deviation(const NetworkConfig& config, const std::string& name) {
  // All active inputs are 1, so the first layer's fan-in is their number.
  const double fan_in = name == "input.weight" ? kActiveFeatures : config.width;
  double deviation = std::sqrt(2.0 / fan_in);
  if (name.find(".linear2.") != std::string::npos) deviation /= std::sqrt(config.blocks);
  if (name == "heads.weight" || name == "auxiliary.weight") deviation *= kHeadScale;
  return deviation;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::ostringstream text;
  for (std::size_t i = 0; i < shape.size(); ++i)
    text << (i == 0 ? "" : "x") << shape[i];
  return text.str();
}

[[noreturn]] void bad_tensor(const Hdf5Reader& file, const std::string& path,
                             const std::string& problem) {
  throw InputError(ErrorKind::kFile, file.path().string() + ": " + path + ": " + problem);
}

// The encoder that first had a block.
std::int64_t first_version(const FeatureBlock& block) {
  if (block.name.starts_with("gain.")) return 3;
  return block.name.starts_with("reply.") ? 2 : kFirstEncoderVersion;
}

// The first layer's shape when an older encoder had fewer blocks.
std::vector<std::size_t> shape_of_version(const NamedTensor& input, std::int64_t version) {
  auto shape = input.shape;
  for (const FeatureBlock& block : feature_blocks()) {
    if (first_version(block) > version) shape[0] -= static_cast<std::size_t>(block.size);
  }
  return shape;
}

// The first layer of an older encoder as one of today's, zeros for the blocks that it did not have.
std::vector<float> with_newer_rows(const std::vector<float>& rows, std::size_t width,
                                   std::int64_t version) {
  std::vector<float> result;
  auto next = rows.begin();
  for (const FeatureBlock& block : feature_blocks()) {
    const auto size = static_cast<std::size_t>(block.size) * width;
    if (first_version(block) > version) {
      result.resize(result.size() + size);
    } else {
      result.insert(result.end(), next, next + static_cast<std::ptrdiff_t>(size));
      next += static_cast<std::ptrdiff_t>(size);
    }
  }
  return result;
}

void load_tensor(const Hdf5Reader& file, const std::string& path, std::int64_t version,
                 NamedTensor& tensor) {
  Hdf5Array<float> array = file.dataset<float>(path);
  const bool older = version < kEncoderVersion && tensor.name == "input.weight";
  const auto shape = older ? shape_of_version(tensor, version) : tensor.shape;
  if (array.shape != shape) {
    bad_tensor(file, path,
               "expected shape " + shape_text(shape) + ", found " + shape_text(array.shape));
  }
  if (!std::all_of(array.values.begin(), array.values.end(),
                   [](float value) { return std::isfinite(value); })) {
    bad_tensor(file, path, "expected finite weights, found NaN or infinity");
  }
  tensor.values =
      older ? with_newer_rows(array.values, shape[1], version) : std::move(array.values);
}

bool load_auxiliary(const Hdf5Reader& file, const std::string& group) {
  const auto names = file.attributes(group);
  if (std::find(names.begin(), names.end(), kAuxiliaryAttribute) == names.end()) return false;
  const std::int64_t columns = file.int_attribute(group, kAuxiliaryAttribute);
  if (columns != 0 && columns != kAuxiliaryColumns) {
    throw InputError(ErrorKind::kMismatch, file.path().string() + ": " + group + ": expected " +
                                               std::to_string(kAuxiliaryColumns) +
                                               " auxiliary columns or none, found " +
                                               std::to_string(columns));
  }
  return columns != 0;
}

NetworkConfig load_config(const Hdf5Reader& file, const std::string& group) {
  const auto bounded = [&](const std::string& name) {
    // Clamped so that a damaged number stays a number that validate() refuses.
    return static_cast<int>(std::clamp<std::int64_t>(file.int_attribute(group, name), -1, 1 << 30));
  };
  const NetworkConfig config{bounded("blocks"), bounded("width"), load_auxiliary(file, group)};
  try {
    config.validate();
  } catch (const InputError& error) {
    bad_tensor(file, group, error.what());
  }
  return config;
}

void softmax(std::span<const float> logits, std::span<float> probabilities) {
  const float largest = *std::max_element(logits.begin(), logits.end());
  float sum = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    probabilities[i] = std::exp(logits[i] - largest);
    sum += probabilities[i];
  }
  for (float& probability : probabilities)
    probability /= sum;
}

}  // namespace

void NetworkConfig::validate() const {
  const auto check = [](const char* field, int value, int largest) {
    if (value >= 1 && value <= largest) return;
    throw InputError(ErrorKind::kUsage, std::string("network.") + field + ": expected 1.." +
                                            std::to_string(largest) + ", found " +
                                            std::to_string(value));
  };
  check("blocks", blocks, kMaxBlocks);
  check("width", width, kMaxWidth);
}

std::string to_string(const NetworkConfig& config) {
  return std::to_string(config.blocks) + "x" + std::to_string(config.width);
}

NetworkConfig parse_network_config(const std::string& text) {
  NetworkConfig config;
  char rest = 0;
  if (std::sscanf(text.c_str(), "%dx%d%c", &config.blocks, &config.width, &rest) != 2) {
    throw InputError(ErrorKind::kUsage,
                     "network: expected BLOCKSxWIDTH as in 2x128, found '" + text + "'");
  }
  config.validate();
  return config;
}

const NamedTensor& NetworkWeights::at(const std::string& name) const {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const NamedTensor& tensor) { return tensor.name == name; });
  AWALE_CHECK(found != tensors.end(), "no tensor " << name);
  return *found;
}

std::vector<NamedTensor> tensor_shapes(const NetworkConfig& config) {
  const auto width = static_cast<std::size_t>(config.width);
  std::vector<NamedTensor> tensors = {{"input.weight", {kFeatures, width}, {}},
                                      {"input.bias", {width}, {}}};
  for (int block = 0; block < config.blocks; ++block) {
    const std::string name = "blocks." + std::to_string(block);
    add_linear(tensors, name + ".linear1", width, width);
    add_linear(tensors, name + ".linear2", width, width);
  }
  add_linear(tensors, "heads", kHeadColumns, width);
  if (config.auxiliary) add_linear(tensors, "auxiliary", kAuxiliaryColumns, width);
  return tensors;
}

NetworkWeights initial_weights(const NetworkConfig& config, std::uint64_t seed) {
  config.validate();
  NetworkWeights weights{config, kEncoderVersion, tensor_shapes(config)};
  for (std::size_t i = 0; i < weights.tensors.size(); ++i) {
    NamedTensor& tensor = weights.tensors[i];
    tensor.values.assign(element_count(tensor.shape), 0.0F);
    if (tensor.shape.size() == 1) continue;  // a bias
    // Uniform in +-sqrt(3) deviations has that deviation.
    const double bound = std::sqrt(3.0) * initial_deviation(config, tensor.name);
    env::RandomStream stream(seed, env::RandomPurpose::kNetworkInit, i, 0);
    for (float& value : tensor.values) {
      value = static_cast<float>(bound * (2.0 * stream.uniform() - 1.0));
    }
  }
  return weights;
}

AuxiliaryEvaluation auxiliary_of(std::span<const float, kAuxiliaryColumns> outputs) {
  AuxiliaryEvaluation evaluation;
  softmax(outputs.first<kMarginClasses>(), evaluation.margin_distribution);
  evaluation.plies_left = kPliesScale * std::max(outputs[kPliesColumn], 0.0F);
  return evaluation;
}

int margin_quantile(const AuxiliaryEvaluation& evaluation, double share) {
  double sum = 0;
  int margin = -kLargestMargin;
  for (const float probability : evaluation.margin_distribution) {
    sum += static_cast<double>(probability);
    if (sum >= share) break;
    ++margin;
  }
  return std::min(margin, kLargestMargin);  // rounding may leave the sum below 1
}

Evaluation evaluation_of(std::span<const float, kHeadColumns> heads) {
  Evaluation evaluation;
  std::copy_n(heads.begin() + kPolicyColumn, env::kMoves, evaluation.policy_logits.begin());
  softmax(heads.subspan<kWdlColumn, 3>(), evaluation.win_draw_loss);
  evaluation.margin_seeds = kMarginScaleSeeds * heads[kMarginColumn];
  return evaluation;
}

double max_difference(const Evaluation& left, const Evaluation& right) {
  double largest = 0;
  const auto compare = [&largest](double a, double b) {
    const double difference = std::abs(a - b) / std::max(1.0, std::abs(a));
    // Written so that NaN counts as the largest difference of all.
    if (!(difference <= largest)) largest = std::isnan(difference) ? HUGE_VAL : difference;
  };
  for (int i = 0; i < env::kMoves; ++i)
    compare(left.policy_logits[i], right.policy_logits[i]);
  for (int i = 0; i < 3; ++i)
    compare(left.win_draw_loss[i], right.win_draw_loss[i]);
  compare(left.margin_seeds / kMarginScaleSeeds, right.margin_seeds / kMarginScaleSeeds);
  return largest;
}

void store(const NetworkWeights& weights, Hdf5Writer& file, const std::string& group) {
  file.attribute(group, "blocks", std::int64_t{weights.config.blocks});
  file.attribute(group, "width", std::int64_t{weights.config.width});
  file.attribute(group, "encoder_version", std::int64_t{weights.encoder_version});
  file.attribute(group, kAuxiliaryAttribute,
                 std::int64_t{weights.config.auxiliary ? kAuxiliaryColumns : 0});
  for (const NamedTensor& tensor : weights.tensors) {
    file.dataset<float>(group + "/" + tensor.name, tensor.values, tensor.shape);
  }
}

NetworkWeights load(const Hdf5Reader& file, const std::string& group) {
  const std::int64_t version = file.int_attribute(group, "encoder_version");
  if (version < kFirstEncoderVersion || version > kEncoderVersion) {
    throw InputError(ErrorKind::kMismatch,
                     file.path().string() + ": " + group + ": expected encoder version " +
                         std::to_string(kFirstEncoderVersion) + " to " +
                         std::to_string(kEncoderVersion) + ", found " + std::to_string(version));
  }
  NetworkWeights weights;
  weights.config = load_config(file, group);
  weights.encoder_version = kEncoderVersion;
  weights.tensors = tensor_shapes(weights.config);
  for (NamedTensor& tensor : weights.tensors) {
    load_tensor(file, group + "/" + tensor.name, version, tensor);
  }
  return weights;
}

}  // namespace awale::nn
