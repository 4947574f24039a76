// The evaluators that need no LibTorch.
#include <cmath>
#include <set>

#include "nn/eigen_evaluator.hpp"
#include "nn/encoder.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/contract/evaluator_contract.hpp"

namespace awale::test {
namespace {

using nn::NetworkWeights;

TEST_CASE("The uniform evaluator keeps the evaluator contract") {
  nn::UniformEvaluator evaluator;
  check_evaluator_contract(evaluator);
}

TEST_CASE("The hash evaluator keeps the evaluator contract") {
  nn::HashEvaluator evaluator;
  check_evaluator_contract(evaluator);
}

TEST_CASE("The Eigen evaluator keeps the evaluator contract") {
  const auto weights = std::make_shared<NetworkWeights>(lively_weights({2, 24}, 3));
  const auto evaluator = nn::make_eigen_evaluator(weights);
  CHECK(evaluator->name() == "eigen 2x24");
  check_evaluator_contract(*evaluator);
}

TEST_CASE("The hash evaluator tells apart what a network reads, and nothing else") {
  nn::HashEvaluator evaluator;
  const env::RuleSet rules;
  std::vector<env::Position> positions(6, {env::initial_board(), 3, 2, 1});
  positions[1].board.pits[11] = 5;
  positions[2].ply = 999;
  positions[3].quiet_plies = 3;
  positions[4].repetitions = 0;
  positions[5].board.to_move = env::Side::kNorth;
  std::set<float> margins;
  const auto evaluations = evaluate_all(evaluator, rules, positions);
  for (const auto& evaluation : evaluations)
    margins.insert(evaluation.margin_seeds);
  CHECK(margins.size() == positions.size() - 1);
  CHECK(same_bits(evaluations[0], evaluations[5]));
}

// x -> x * weight^T + bias in double precision, as the comment in weights.hpp says it.
std::vector<double> linear(const NetworkWeights& weights, const std::string& name,
                           const std::vector<double>& x) {
  const auto& weight = weights.at(name + ".weight").values;
  const auto& bias = weights.at(name + ".bias").values;
  std::vector<double> y(bias.begin(), bias.end());
  for (std::size_t out = 0; out < y.size(); ++out) {
    for (std::size_t in = 0; in < x.size(); ++in)
      y[out] += weight[out * x.size() + in] * x[in];
  }
  return y;
}

std::vector<double> relu(std::vector<double> x) {
  for (double& value : x)
    value = std::max(value, 0.0);
  return x;
}

nn::Evaluation naive_network(const NetworkWeights& weights, const env::RuleSet& rules,
                             const env::Position& position) {
  std::vector<std::int32_t> active(nn::kActiveFeatures);
  nn::encode(rules, {&position, 1}, active);
  const auto& bias = weights.at("input.bias").values;
  std::vector<double> x(bias.begin(), bias.end());
  for (const std::int32_t feature : active) {
    for (std::size_t w = 0; w < x.size(); ++w) {
      x[w] += weights.at("input.weight").values[feature * x.size() + w];
    }
  }
  x = relu(x);
  for (int block = 0; block < weights.config.blocks; ++block) {
    const std::string name = "blocks." + std::to_string(block);
    const auto y = linear(weights, name + ".linear2", relu(linear(weights, name + ".linear1", x)));
    for (std::size_t w = 0; w < x.size(); ++w)
      x[w] += y[w];
    x = relu(x);
  }
  const auto heads = linear(weights, "heads", x);
  return nn::evaluation_of(std::array<float, nn::kHeadColumns>{
      float(heads[0]), float(heads[1]), float(heads[2]), float(heads[3]), float(heads[4]),
      float(heads[5]), float(heads[6]), float(heads[7]), float(heads[8]), float(heads[9])});
}

TEST_CASE("The Eigen evaluator computes the network's formula") {
  for (const nn::NetworkConfig config : {nn::NetworkConfig{1, 5}, nn::NetworkConfig{3, 32}}) {
    const auto weights = std::make_shared<NetworkWeights>(lively_weights(config, 4));
    const auto evaluator = nn::make_eigen_evaluator(weights);
    const env::RuleSet rules;
    const auto positions = random_positions(rules, 40, 5);
    const auto evaluations = evaluate_all(*evaluator, rules, positions);
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const auto expected = naive_network(*weights, rules, positions[i]);
      REQUIRE(nn::max_difference(expected, evaluations[i]) < 1e-5);
    }
  }
}

TEST_CASE("An untrained network is nearly uniform and even") {
  const auto weights = std::make_shared<NetworkWeights>(nn::initial_weights({4, 64}, 5));
  const auto evaluator = nn::make_eigen_evaluator(weights);
  const env::RuleSet rules;
  for (const auto& evaluation : evaluate_all(*evaluator, rules, random_positions(rules, 100, 6))) {
    for (const float logit : evaluation.policy_logits)
      CHECK(std::abs(logit) < 0.5);
    for (const float chance : evaluation.win_draw_loss)
      CHECK(std::abs(chance - 1.0 / 3) < 0.15);
    CHECK(std::abs(evaluation.margin_seeds) < 8);
  }
}

}  // namespace
}  // namespace awale::test
