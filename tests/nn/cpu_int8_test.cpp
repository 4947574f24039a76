// The int8 kernel against the same network in plain loops, rounded as nn/README.md says.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "nn/cpu_evaluator.hpp"
#include "nn/encoder.hpp"
#include "tests/contract/evaluator_contract.hpp"

namespace awale::test {
namespace {

using nn::NamedTensor;
using nn::NetworkWeights;
using Row = std::vector<float>;

// Each row of a layer's inputs in 255 steps of its own.
Row rounded_inputs(const Row& inputs, const Row& factors) {
  Row scaled(inputs.size());
  std::transform(inputs.begin(), inputs.end(), factors.begin(), scaled.begin(), std::multiplies());
  const float unit = *std::max_element(scaled.begin(), scaled.end()) / 255;
  for (float& value : scaled)
    value = unit > 0 ? std::nearbyint(value / unit) * unit : 0;
  return scaled;
}

// The inputs' factors moved out of the weights, then each output's weights in 127 steps of its own.
Row int8_linear(const NetworkWeights& weights, const std::string& name, const Row& inputs) {
  const NamedTensor& weight = weights.at(name + ".weight");
  const std::size_t width = inputs.size();
  Row factors(width);
  for (std::size_t i = 0; i < weight.values.size(); ++i)
    factors[i % width] = std::max(factors[i % width], std::abs(weight.values[i]));
  const Row rounded = rounded_inputs(inputs, factors);
  Row outputs = weights.at(name + ".bias").values;
  for (std::size_t out = 0; out < outputs.size(); ++out) {
    const auto scaled = [&](std::size_t in) {
      return weight.values[out * width + in] / factors[in];
    };
    float largest = 0;
    for (std::size_t in = 0; in < width; ++in)
      largest = std::max(largest, std::abs(scaled(in)));
    const float unit = largest / 127;
    for (std::size_t in = 0; in < width; ++in)
      outputs[out] += std::nearbyint(scaled(in) / unit) * unit * rounded[in];
  }
  return outputs;
}

void relu(Row& row) {
  for (float& value : row)
    value = std::max(value, 0.0F);
}

// The logits of the policy.
Row int8_policy(const NetworkWeights& weights, const env::RuleSet& rules,
                const env::Position& position) {
  const auto width = static_cast<std::size_t>(weights.config.width);
  Row x = weights.at("input.bias").values;
  std::array<std::int32_t, nn::kActiveFeatures> features;
  nn::encode(rules, {&position, 1}, features);
  for (const std::int32_t feature : features) {
    for (std::size_t i = 0; i < width; ++i)
      x[i] += weights.at("input.weight").values[static_cast<std::size_t>(feature) * width + i];
  }
  relu(x);
  for (int block = 0; block < weights.config.blocks; ++block) {
    const std::string name = "blocks." + std::to_string(block);
    Row hidden = int8_linear(weights, name + ".linear1", x);
    relu(hidden);
    const Row change = int8_linear(weights, name + ".linear2", hidden);
    std::transform(x.begin(), x.end(), change.begin(), x.begin(), std::plus());
    relu(x);
  }
  Row policy = weights.at("heads.bias").values;
  policy.resize(env::kMoves);
  for (std::size_t out = 0; out < policy.size(); ++out) {
    for (std::size_t in = 0; in < width; ++in)
      policy[out] += weights.at("heads.weight").values[out * width + in] * x[in];
  }
  return policy;
}

// The first layer is not the twin's to the last bit (int16, 5e-4 of a logit in the end), so here
// and there a number is rounded to the neighbour. In the rows where none is, both compute the same;
// with any other unit or factor there is hardly such a row.
TEST_CASE("the int8 kernel rounds a row of inputs and the weights of an output, and nothing else") {
  if (!nn::has_cpu_kernel(nn::CpuPrecision::kInt8)) return;
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 400, 31);
  const NetworkWeights weights = lively_weights({2, 16}, 32);
  const auto cpu = nn::make_cpu_evaluator(nn::make_cpu_network(weights, nn::CpuPrecision::kInt8));
  const auto found = evaluate_all(*cpu, rules, positions);
  std::size_t same = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Row expected = int8_policy(weights, rules, positions[i]);
    float largest = 0;
    for (std::size_t move = 0; move < expected.size(); ++move)
      largest = std::max(largest, std::abs(expected[move] - found[i].policy_logits[move]));
    same += largest < 1e-3F ? 1 : 0;
  }
  CHECK(same > positions.size() / 10);
}

}  // namespace
}  // namespace awale::test
