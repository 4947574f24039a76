// Runs exported models from their files. ONNX: each operator as the ONNX specification of operator
// set 13 defines it, on LibTorch's tensors.
#include <onnx/onnx_pb.h>
#include <torch/script.h>

#include <cstring>
#include <map>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "nn/encoder.hpp"
#include "nn/export_formats.hpp"
#include "nn/torch_network.hpp"

namespace awale::nn {
namespace {

using torch::Tensor;
using Tensors = std::map<std::string, Tensor>;

Tensor tensor_of(std::span<const std::int64_t> features) {
  const auto rows = static_cast<std::int64_t>(features.size()) / kActiveFeatures;
  return torch::from_blob(const_cast<std::int64_t*>(features.data()), {rows, kActiveFeatures},
                          torch::kInt64);
}

std::vector<float> values_of(const Tensor& tensor) {
  const Tensor dense = tensor.contiguous();
  return {dense.data_ptr<float>(), dense.data_ptr<float>() + dense.numel()};
}

Tensor initializer(const onnx::TensorProto& proto) {
  if (proto.data_type() == onnx::TensorProto::INT64) {
    return torch::tensor(
        std::vector<std::int64_t>(proto.int64_data().begin(), proto.int64_data().end()));
  }
  AWALE_CHECK(proto.data_type() == onnx::TensorProto::FLOAT, proto.name());
  const std::vector<std::int64_t> shape(proto.dims().begin(), proto.dims().end());
  const Tensor tensor = torch::empty(shape, torch::kFloat32);
  AWALE_CHECK(proto.raw_data().size() == tensor.nbytes(), proto.name());
  std::memcpy(tensor.data_ptr(), proto.raw_data().data(), tensor.nbytes());
  return tensor;
}

std::int64_t attribute(const onnx::NodeProto& node, const std::string& name) {
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (attribute.name() == name) return attribute.i();
  }
  AWALE_CHECK(false, node.op_type() << " without " << name);
}

// `matrix` [F, W], `rows` of any shape -> shape of `rows` and W.
Tensor gather(const Tensor& matrix, const Tensor& rows) {
  auto shape = rows.sizes().vec();
  shape.push_back(matrix.size(1));
  return matrix.index_select(0, rows.flatten()).view(shape);
}

std::vector<Tensor> run_node(const onnx::NodeProto& node, const std::vector<Tensor>& inputs) {
  const std::string& operation = node.op_type();
  const Tensor& first = inputs.at(0);
  if (operation == "Relu") return {torch::relu(first)};
  if (operation == "Softmax") return {torch::softmax(first, attribute(node, "axis"))};
  const Tensor& second = inputs.at(1);
  if (operation == "Add") return {first + second};
  if (operation == "Mul") return {first * second};
  if (operation == "Gather") return {gather(first, second)};
  if (operation == "Squeeze") return {first.squeeze(second.item<std::int64_t>())};
  if (operation == "ReduceSum") {
    return {first.sum(second.item<std::int64_t>(), attribute(node, "keepdims") != 0)};
  }
  if (operation == "Gemm") {
    const Tensor right = attribute(node, "transB") != 0 ? second.t() : second;
    return {first.matmul(right) + inputs.at(2)};
  }
  AWALE_CHECK(operation == "Split", "no operator " << operation);
  const auto* sizes = second.data_ptr<std::int64_t>();
  return first.split_with_sizes({sizes, static_cast<std::size_t>(second.numel())},
                                attribute(node, "axis"));
}

Tensors run_graph(const onnx::GraphProto& graph, const Tensor& features) {
  Tensors tensors = {{graph.input(0).name(), features}};
  for (const onnx::TensorProto& proto : graph.initializer()) {
    tensors[proto.name()] = initializer(proto);
  }
  for (const onnx::NodeProto& node : graph.node()) {
    std::vector<Tensor> inputs;
    for (const std::string& name : node.input())
      inputs.push_back(tensors.at(name));
    const auto outputs = run_node(node, inputs);
    for (int i = 0; i < node.output_size(); ++i)
      tensors[node.output(i)] = outputs.at(i);
  }
  return tensors;
}

}  // namespace

ModelOutputs run_network(const NetworkWeights& weights, std::span<const std::int64_t> features) {
  const torch::NoGradGuard no_grad;
  const auto outputs = to_torch(weights)->forward_all(tensor_of(features).to(torch::kInt32));
  const auto columns = [](const Tensor& tensor, int begin, int end) {
    return tensor.slice(1, begin, end);
  };
  ModelOutputs result = {
      values_of(columns(outputs.heads, kPolicyColumn, kWdlColumn)),
      values_of(torch::softmax(columns(outputs.heads, kWdlColumn, kMarginColumn), 1)),
      values_of(outputs.heads.select(1, kMarginColumn) * kMarginScaleSeeds),
      {},
      {}};
  if (!weights.config.auxiliary) return result;
  result.margin_distribution =
      values_of(torch::softmax(columns(outputs.auxiliary, 0, kMarginClasses), 1));
  result.plies_left =
      values_of(torch::relu(outputs.auxiliary.select(1, kPliesColumn)) * kPliesScale);
  return result;
}

ModelOutputs run_torchscript(const std::filesystem::path& path,
                             std::span<const std::int64_t> features) {
  const torch::NoGradGuard no_grad;
  auto module = torch::jit::load(path.string());
  const auto outputs = module.forward({tensor_of(features)}).toTuple()->elements().vec();
  const auto output = [&](std::size_t i) {
    return i < outputs.size() ? values_of(outputs[i].toTensor()) : std::vector<float>();
  };
  return {output(0), output(1), output(2), output(3), output(4)};
}

ModelOutputs run_onnx(const std::filesystem::path& path, std::span<const std::int64_t> features) {
  const auto bytes = read_file(path);
  onnx::ModelProto model;
  AWALE_CHECK(model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), path.string());
  const torch::NoGradGuard no_grad;
  const Tensors tensors = run_graph(model.graph(), tensor_of(features));
  const auto output = [&](const char* name) {
    return tensors.contains(name) ? values_of(tensors.at(name)) : std::vector<float>();
  };
  return {output(kPolicyName), output(kWdlName), output(kMarginName), output(kDistributionName),
          output(kPliesName)};
}

}  // namespace awale::nn
