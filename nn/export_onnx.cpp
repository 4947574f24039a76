#include <onnx/onnx_pb.h>

#include <bit>

#include "nn/atomic_file.hpp"
#include "nn/encoder.hpp"
#include "nn/export_formats.hpp"

namespace awale::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "raw tensor data is little-endian");

// Operator set 13 is the first that takes the axes of ReduceSum as an input; intermediate
// representation 7 goes with it. ONNX Runtime reads both from 1.6 (2020) on.
constexpr int kOperatorSet = 13;
constexpr int kIrVersion = 7;

constexpr const char* kBatchName = "batch";

// Adds nodes and tensors to a graph; a node's output is called as the node.
class GraphBuilder {
 public:
  explicit GraphBuilder(onnx::GraphProto& graph) : graph_(graph) {}

  onnx::NodeProto& node(const std::string& operation, const std::vector<std::string>& inputs,
                        const std::vector<std::string>& outputs) {
    onnx::NodeProto& node = *graph_.add_node();
    node.set_op_type(operation);
    node.set_name(outputs.front());
    for (const std::string& input : inputs)
      node.add_input(input);
    for (const std::string& output : outputs)
      node.add_output(output);
    return node;
  }

  void weights(const NamedTensor& tensor) {
    onnx::TensorProto& proto = *graph_.add_initializer();
    proto.set_name(tensor.name);
    proto.set_data_type(onnx::TensorProto::FLOAT);
    for (const std::size_t size : tensor.shape)
      proto.add_dims(static_cast<std::int64_t>(size));
    proto.set_raw_data(tensor.values.data(), tensor.values.size() * sizeof(float));
  }

  void integers(const std::string& name, const std::vector<std::int64_t>& values) {
    onnx::TensorProto& proto = *graph_.add_initializer();
    proto.set_name(name);
    proto.set_data_type(onnx::TensorProto::INT64);
    proto.add_dims(static_cast<std::int64_t>(values.size()));
    for (const std::int64_t value : values)
      proto.add_int64_data(value);
  }

  void linear(const std::string& layer, const std::string& input, const std::string& output) {
    onnx::NodeProto& gemm = node("Gemm", {input, layer + ".weight", layer + ".bias"}, {output});
    set_attribute(gemm, "transB", 1);
  }

  static void set_attribute(onnx::NodeProto& node, const std::string& name, std::int64_t value) {
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }

 private:
  onnx::GraphProto& graph_;
};

// A batch of rows of `columns` values, or of single values if 0.
void describe_value(onnx::ValueInfoProto& value, const std::string& name, int type, int columns) {
  value.set_name(name);
  auto& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape()->add_dim()->set_dim_param(kBatchName);
  if (columns > 0) tensor.mutable_shape()->add_dim()->set_dim_value(columns);
}

void add_trunk(GraphBuilder& graph, const NetworkConfig& config) {
  graph.integers("axis_1", {1});
  graph.node("Gather", {"input.weight", kFeaturesName}, {"input.rows"});
  GraphBuilder::set_attribute(graph.node("ReduceSum", {"input.rows", "axis_1"}, {"input.sum"}),
                              "keepdims", 0);
  graph.node("Add", {"input.sum", "input.bias"}, {"input.biased"});
  graph.node("Relu", {"input.biased"}, {"x.0"});
  for (int block = 0; block < config.blocks; ++block) {
    const std::string name = "blocks." + std::to_string(block);
    const std::string before = "x." + std::to_string(block);
    graph.linear(name + ".linear1", before, name + ".hidden");
    graph.node("Relu", {name + ".hidden"}, {name + ".active"});
    graph.linear(name + ".linear2", name + ".active", name + ".change");
    graph.node("Add", {before, name + ".change"}, {name + ".sum"});
    graph.node("Relu", {name + ".sum"}, {"x." + std::to_string(block + 1)});
  }
}

void add_heads(GraphBuilder& graph, const NetworkConfig& config) {
  graph.linear("heads", "x." + std::to_string(config.blocks), "heads");
  graph.integers("head_sizes", {kWdlColumn - kPolicyColumn, kMarginColumn - kWdlColumn, 1});
  GraphBuilder::set_attribute(graph.node("Split", {"heads", "head_sizes"},
                                         {kPolicyName, "outcome_logits", "margin_column"}),
                              "axis", 1);
  GraphBuilder::set_attribute(graph.node("Softmax", {"outcome_logits"}, {kWdlName}), "axis", 1);
  graph.node("Squeeze", {"margin_column", "axis_1"}, {"margin_scaled"});
  graph.weights({"margin_scale", {1}, {kMarginScaleSeeds}});
  graph.node("Mul", {"margin_scaled", "margin_scale"}, {kMarginName});
}

void add_auxiliary_heads(GraphBuilder& graph, const NetworkConfig& config) {
  graph.linear("auxiliary", "x." + std::to_string(config.blocks), "auxiliary");
  graph.integers("auxiliary_sizes", {kMarginClasses, 1});
  GraphBuilder::set_attribute(
      graph.node("Split", {"auxiliary", "auxiliary_sizes"}, {"margin_logits", "plies_column"}),
      "axis", 1);
  GraphBuilder::set_attribute(graph.node("Softmax", {"margin_logits"}, {kDistributionName}), "axis",
                              1);
  graph.node("Squeeze", {"plies_column", "axis_1"}, {"plies_signed"});
  graph.node("Relu", {"plies_signed"}, {"plies_scaled"});
  graph.weights({"plies_scale", {1}, {kPliesScale}});
  graph.node("Mul", {"plies_scaled", "plies_scale"}, {kPliesName});
}

onnx::ModelProto make_model(const NetworkWeights& weights, std::span<const env::RuleSet> rules) {
  onnx::ModelProto model;
  model.set_ir_version(kIrVersion);
  model.set_producer_name("awale");
  model.add_opset_import()->set_version(kOperatorSet);
  for (const auto& [key, value] : export_metadata(weights, rules)) {
    onnx::StringStringEntryProto& entry = *model.add_metadata_props();
    entry.set_key(key);
    entry.set_value(value);
  }
  onnx::GraphProto& graph = *model.mutable_graph();
  graph.set_name("awale");
  describe_value(*graph.add_input(), kFeaturesName, onnx::TensorProto::INT64, kActiveFeatures);
  describe_value(*graph.add_output(), kPolicyName, onnx::TensorProto::FLOAT, env::kMoves);
  describe_value(*graph.add_output(), kWdlName, onnx::TensorProto::FLOAT, 3);
  describe_value(*graph.add_output(), kMarginName, onnx::TensorProto::FLOAT, 0);
  if (weights.config.auxiliary) {
    describe_value(*graph.add_output(), kDistributionName, onnx::TensorProto::FLOAT,
                   kMarginClasses);
    describe_value(*graph.add_output(), kPliesName, onnx::TensorProto::FLOAT, 0);
  }
  GraphBuilder builder(graph);
  for (const NamedTensor& tensor : weights.tensors)
    builder.weights(tensor);
  add_trunk(builder, weights.config);
  add_heads(builder, weights.config);
  if (weights.config.auxiliary) add_auxiliary_heads(builder, weights.config);
  return model;
}

}  // namespace

void write_onnx(const NetworkWeights& weights, std::span<const env::RuleSet> rules,
                const std::filesystem::path& path) {
  write_file_atomically(path, make_model(weights, rules).SerializeAsString());
}

}  // namespace awale::nn
