// The LibTorch module: the same tensors, the same function as without LibTorch, and its gradients.
#include "nn/torch_network.hpp"

#include "nn/encoder.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

torch::Tensor features_of(const std::vector<env::Position>& positions) {
  const auto rows = static_cast<std::int64_t>(positions.size());
  auto features = torch::empty({rows, nn::kActiveFeatures}, torch::kInt32);
  nn::encode(env::RuleSet{}, positions,
             {features.data_ptr<std::int32_t>(), positions.size() * nn::kActiveFeatures});
  return features;
}

TEST_CASE("A module's parameters are the weights' tensors, in name, order, shape and every bit") {
  const nn::NetworkWeights weights = lively_weights({2, 12}, 1);
  const nn::TorchNetwork network = nn::to_torch(weights);
  const auto parameters = network->named_parameters();
  REQUIRE(parameters.size() == weights.tensors.size());
  const nn::NetworkWeights back = nn::to_weights(network);
  CHECK(back.config == weights.config);
  CHECK(back.encoder_version == weights.encoder_version);
  for (std::size_t i = 0; i < weights.tensors.size(); ++i) {
    const nn::NamedTensor& tensor = weights.tensors[i];
    INFO(tensor.name);
    CHECK(parameters[i].key() == tensor.name);
    CHECK(std::equal(tensor.shape.begin(), tensor.shape.end(),
                     parameters[i].value().sizes().begin(), parameters[i].value().sizes().end()));
    CHECK(parameters[i].value().requires_grad());
    CHECK(back.tensors[i].name == tensor.name);
    CHECK(back.tensors[i].values == tensor.values);
  }
}

TEST_CASE("Changing a module leaves the weights it came from alone") {
  const nn::NetworkWeights weights = lively_weights({1, 8}, 1);
  const float before = weights.tensors[0].values[0];
  const nn::TorchNetwork network = nn::to_torch(weights);
  const torch::NoGradGuard no_grad;
  network->parameters()[0].fill_(3);
  CHECK(weights.tensors[0].values[0] == before);
  CHECK(nn::to_weights(network).tensors[0].values[0] == 3);
}

TEST_CASE("The forward pass is the same with gradients and in inference") {
  nn::TorchNetwork network = nn::to_torch(lively_weights({2, 32}, 2));
  const auto features = features_of(random_positions(env::RuleSet{}, 100, 3));
  const auto training = network->forward(features);
  CHECK(training.requires_grad());
  const torch::InferenceMode inference;
  const auto playing = network->forward(features);
  CHECK_FALSE(playing.requires_grad());
  CHECK(torch::equal(training.detach(), playing));
}

TEST_CASE("The first layer's gradient is that of LibTorch's embedding bag") {
  nn::TorchNetwork network = nn::to_torch(lively_weights({1, 16}, 3));
  const auto features = features_of(random_positions(env::RuleSet{}, 64, 4));
  network->forward(features).square().sum().backward();

  // The same function written with LibTorch's own layers.
  const auto parameters = network->named_parameters();
  auto weight = parameters["input.weight"].detach().clone().requires_grad_();
  const auto indices = features.flatten();
  const auto offsets = torch::arange(0, indices.numel(), features.size(1), torch::kInt32);
  const auto sum = std::get<0>(at::embedding_bag(weight, indices, offsets, false, 0, false));
  auto x = torch::relu(sum + parameters["input.bias"]);
  const auto linear = [&](const std::string& name, const torch::Tensor& input) {
    return torch::linear(input, parameters[name + ".weight"], parameters[name + ".bias"]);
  };
  x = torch::relu(x + linear("blocks.0.linear2", torch::relu(linear("blocks.0.linear1", x))));
  const auto bias_gradient = parameters["input.bias"].grad().clone();
  linear("heads", x).square().sum().backward();

  const auto gradient = parameters["input.weight"].grad();
  CHECK(gradient.abs().max().item<float>() > 0.1);
  CHECK(torch::allclose(gradient, weight.grad(), 1e-4, 1e-4));
  // The second backward pass has added the same once more.
  CHECK(torch::allclose(2 * bias_gradient, parameters["input.bias"].grad(), 1e-4, 1e-4));
}

TEST_CASE("Gradients of a loss fall where the numbers say") {
  nn::TorchNetwork network = nn::to_torch(lively_weights({1, 6}, 5));
  const auto features = features_of(random_positions(env::RuleSet{}, 3, 6));
  const auto loss = [&] {
    const auto outputs = network->forward_all(features);
    return outputs.heads.sum() + outputs.auxiliary.sum();
  };
  loss().backward();
  const torch::NoGradGuard no_grad;
  for (auto& parameter : network->named_parameters()) {
    auto flat = parameter.value().view(-1);
    const std::int64_t place = parameter.key() == "input.weight"
                                   ? features[1][5].item<std::int64_t>() * 6 + 2
                                   : flat.numel() / 2;
    constexpr double kStep = 1e-2;
    const double before = flat[place].item<double>();
    flat[place] = before + kStep;
    const double above = loss().item<double>();
    flat[place] = before - kStep;
    const double below = loss().item<double>();
    flat[place] = before;
    INFO(parameter.key());
    CHECK(parameter.value().grad().view(-1)[place].item<double>() ==
          Approx((above - below) / (2 * kStep)).margin(0.02).epsilon(0.02));
  }
}

}  // namespace
}  // namespace awale::test
