#include "nn/torch_network.hpp"

#include "env/error.hpp"
#include "nn/blas.hpp"
#include "nn/encoder.hpp"

namespace awale::nn {
namespace {

torch::Tensor unset(std::initializer_list<std::int64_t> shape) {
  return torch::empty(shape, torch::kFloat32);
}

torch::Tensor gradient_on_cpu(const torch::Tensor& features, const torch::Tensor& gradient) {
  const std::int64_t width = gradient.size(1);
  auto sum = torch::zeros({kFeatures, width});
  const auto* feature = features.data_ptr<std::int32_t>();
  const float* row = gradient.data_ptr<float>();
  for (std::int64_t i = 0; i < features.size(0); ++i, row += width) {
    for (std::int64_t k = 0; k < features.size(1); ++k, ++feature) {
      float* target = sum.data_ptr<float>() + *feature * width;
      for (std::int64_t w = 0; w < width; ++w)
        target[w] += row[w];
    }
  }
  return sum;
}

// sum of weight[f] over the active features f: [F, W], [B, K] -> [B, W]. LibTorch's embedding_bag,
// but for its backward pass, which sorts all indices and so takes ten times as long as this loop
// (3 ms for B = 1024, W = 128, as much as the rest of the network's).
class SumRows : public torch::autograd::Function<SumRows> {
 public:
  static torch::Tensor forward(torch::autograd::AutogradContext* context,
                               const torch::Tensor& weight, const torch::Tensor& features) {
    context->save_for_backward({features});
    const auto indices = features.flatten();
    const auto offsets = torch::arange(0, indices.numel(), features.size(1), indices.options());
    constexpr int kSum = 0;
    return std::get<0>(
        at::_embedding_bag_forward_only(weight, indices, offsets, false, kSum, false));
  }

  static torch::autograd::tensor_list backward(torch::autograd::AutogradContext* context,
                                               const torch::autograd::tensor_list& gradients) {
    const auto features = context->get_saved_variables()[0];
    const auto gradient = gradients[0].contiguous();
    if (features.is_cpu()) return {gradient_on_cpu(features, gradient), torch::Tensor()};
    const auto each = gradient.unsqueeze(1).expand({-1, features.size(1), -1});
    constexpr int kNoPadding = -1;
    return {at::embedding_dense_backward(each, features, kFeatures, kNoPadding, false),
            torch::Tensor()};
  }
};

}  // namespace

InputLayerImpl::InputLayerImpl(int width)
    : weight_(register_parameter("weight", unset({kFeatures, width}))),
      bias_(register_parameter("bias", unset({width}))) {}

torch::Tensor InputLayerImpl::forward(const torch::Tensor& features) const {
  return SumRows::apply(weight_, features).add_(bias_).relu_();
}

ResidualBlockImpl::ResidualBlockImpl(int width)
    : linear1_(register_module("linear1", torch::nn::Linear(width, width))),
      linear2_(register_module("linear2", torch::nn::Linear(width, width))) {}

torch::Tensor ResidualBlockImpl::forward(const torch::Tensor& x) {
  return linear2_(linear1_(x).relu_()).add_(x).relu_();
}

TorchNetworkImpl::TorchNetworkImpl(const NetworkConfig& config) : config_(config) {
  config.validate();
  input_ = register_module("input", InputLayer(config.width));
  blocks_ = register_module("blocks", torch::nn::ModuleList());
  for (int block = 0; block < config.blocks; ++block) {
    blocks_->push_back(ResidualBlock(config.width));
  }
  heads_ = register_module("heads", torch::nn::Linear(config.width, kHeadColumns));
  if (!config.auxiliary) return;
  auxiliary_ = register_module("auxiliary", torch::nn::Linear(config.width, kAuxiliaryColumns));
}

void TorchNetworkImpl::compute_blocks_in(torch::Dtype type) {
  blocks_->to(type);
  block_type_ = type;
}

torch::Tensor TorchNetworkImpl::trunk(const torch::Tensor& features) {
  auto x = input_->forward(features).to(block_type_);
  for (const auto& block : *blocks_)
    x = block->as<ResidualBlockImpl>()->forward(x);
  return x.to(torch::kFloat32);
}

torch::Tensor TorchNetworkImpl::forward(const torch::Tensor& features) {
  return heads_->forward(trunk(features));
}

TorchNetworkImpl::Outputs TorchNetworkImpl::forward_all(const torch::Tensor& features) {
  const auto x = trunk(features);
  return {heads_->forward(x), config_.auxiliary ? auxiliary_->forward(x) : torch::Tensor()};
}

TorchNetwork to_torch(const NetworkWeights& weights) {
  AWALE_CHECK(weights.encoder_version == kEncoderVersion, weights.encoder_version);
  use_one_blas_thread();
  TorchNetwork network(weights.config);
  auto parameters = network->named_parameters();
  AWALE_CHECK(parameters.size() == weights.tensors.size(), parameters.size());
  const torch::NoGradGuard no_grad;
  for (const NamedTensor& tensor : weights.tensors) {
    torch::Tensor& parameter = parameters[tensor.name];
    const auto values = torch::from_blob(const_cast<float*>(tensor.values.data()),
                                         parameter.sizes(), torch::kFloat32);
    AWALE_CHECK(values.numel() == static_cast<std::int64_t>(tensor.values.size()), tensor.name);
    parameter.copy_(values);
  }
  return network;
}

NetworkWeights to_weights(TorchNetwork network) {
  NetworkWeights weights{network->config(), kEncoderVersion, tensor_shapes(network->config())};
  const auto parameters = network->named_parameters();
  for (NamedTensor& tensor : weights.tensors) {
    const auto values = parameters[tensor.name].detach().to(torch::kCPU).contiguous();
    const float* first = values.data_ptr<float>();
    tensor.values.assign(first, first + values.numel());
  }
  return weights;
}

}  // namespace awale::nn
