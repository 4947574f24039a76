#include <torch/script.h>

#include <algorithm>
#include <sstream>

#include "nn/atomic_file.hpp"
#include "nn/export_formats.hpp"

namespace awale::nn {
namespace {

// "blocks.0.linear1.weight" as an attribute of a flat module.
std::string attribute_name(std::string name) {
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
}

std::string linear_call(const std::string& layer, const std::string& input) {
  return "torch.linear(" + input + ", self." + layer + "_weight, self." + layer + "_bias)";
}

// The network of weights.hpp in TorchScript.
std::string forward_source(const NetworkConfig& config) {
  std::ostringstream source;
  source << "def forward(self, " << kFeaturesName << "):\n"
         << "    rows = torch.embedding(self.input_weight, " << kFeaturesName << ")\n"
         << "    x = torch.relu(torch.sum(rows, [1]) + self.input_bias)\n";
  for (int block = 0; block < config.blocks; ++block) {
    const std::string layer = "blocks_" + std::to_string(block) + "_linear";
    source << "    y = torch.relu(" << linear_call(layer + "1", "x") << ")\n"
           << "    x = torch.relu(x + " << linear_call(layer + "2", "y") << ")\n";
  }
  source << "    heads = " << linear_call("heads", "x") << "\n"
         << "    " << kPolicyName << " = heads[:, " << kPolicyColumn << ":" << kWdlColumn << "]\n"
         << "    " << kWdlName << " = torch.softmax(heads[:, " << kWdlColumn << ":" << kMarginColumn
         << "], 1)\n"
         << "    " << kMarginName << " = heads[:, " << kMarginColumn << "] * "
         << std::to_string(kMarginScaleSeeds) << "\n";
  if (config.auxiliary) {
    source << "    auxiliary = " << linear_call("auxiliary", "x") << "\n"
           << "    " << kDistributionName << " = torch.softmax(auxiliary[:, :" << kMarginClasses
           << "], 1)\n"
           << "    " << kPliesName << " = torch.relu(auxiliary[:, " << kPliesColumn << "]) * "
           << std::to_string(kPliesScale) << "\n";
  }
  source << "    return " << kPolicyName << ", " << kWdlName << ", " << kMarginName;
  if (config.auxiliary) source << ", " << kDistributionName << ", " << kPliesName;
  source << "\n";
  return source.str();
}

torch::Tensor tensor_of(const NamedTensor& tensor) {
  const std::vector<std::int64_t> shape(tensor.shape.begin(), tensor.shape.end());
  return torch::from_blob(const_cast<float*>(tensor.values.data()), shape, torch::kFloat32).clone();
}

}  // namespace

void write_torchscript(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                       const std::filesystem::path& path) {
  torch::jit::Module module("AwaleNetwork");
  for (const NamedTensor& tensor : weights.tensors) {
    module.register_parameter(attribute_name(tensor.name), tensor_of(tensor), false);
  }
  for (const auto& [key, value] : export_metadata(weights, rules)) {
    module.register_attribute(key, c10::StringType::get(), value);
  }
  module.define(forward_source(weights.config));
  std::ostringstream bytes;
  module.save(bytes);
  write_file_atomically(path, bytes.str());
}

}  // namespace awale::nn
