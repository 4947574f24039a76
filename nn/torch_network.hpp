// The network of weights.hpp as a LibTorch module, for learning and for evaluation: one forward
// pass for both. Includes LibTorch: include it only from torch_*.cpp, export_*.cpp and
// learner_torch.cpp.
//
// Parameters are named as the tensors of tensor_shapes(), in the same order. A module's
// parameters are arbitrary until set: take to_torch(). Any number of threads may call forward() of
// one module without gradients.
#pragma once

#include <torch/torch.h>

#include "nn/weights.hpp"

namespace awale::nn {

// relu(sum of the active features' rows + bias).
class InputLayerImpl : public torch::nn::Module {
 public:
  explicit InputLayerImpl(int width);
  torch::Tensor forward(const torch::Tensor& features) const;

 private:
  torch::Tensor weight_;  // [F, W]
  torch::Tensor bias_;    // [W]
};
TORCH_MODULE(InputLayer);

class ResidualBlockImpl : public torch::nn::Module {
 public:
  explicit ResidualBlockImpl(int width);
  torch::Tensor forward(const torch::Tensor& x);

 private:
  torch::nn::Linear linear1_ = nullptr;
  torch::nn::Linear linear2_ = nullptr;
};
TORCH_MODULE(ResidualBlock);

class TorchNetworkImpl : public torch::nn::Module {
 public:
  explicit TorchNetworkImpl(const NetworkConfig& config);

  const NetworkConfig& config() const { return config_; }

  // Converts the residual blocks, where nearly all of the time goes, to `type`; the input layer's
  // sum of rows and the heads stay float32, so that features are added and outputs are given as
  // exactly as before.
  void compute_blocks_in(torch::Dtype type);

  // `features` [B, K] int32, the output of encode(), on the module's device. Returns [B, 10] raw
  // heads, float32, columns as in weights.hpp.
  torch::Tensor forward(const torch::Tensor& features);

  struct Outputs {
    torch::Tensor heads;      // [B, 10]
    torch::Tensor auxiliary;  // [B, 98]; undefined where the network has no auxiliary heads
  };
  Outputs forward_all(const torch::Tensor& features);

 private:
  // What the heads read, [B, W].
  torch::Tensor trunk(const torch::Tensor& features);

  NetworkConfig config_;
  torch::Dtype block_type_ = torch::kFloat32;
  InputLayer input_ = nullptr;
  torch::nn::ModuleList blocks_;
  torch::nn::Linear heads_ = nullptr;
  torch::nn::Linear auxiliary_ = nullptr;  // none where the network has no auxiliary heads
};
TORCH_MODULE(TorchNetwork);

// A module on the CPU with a copy of the weights, requiring gradients. From here on OpenBLAS's
// pthread build uses one thread a product in this process: our own threads are all the parallelism.
TorchNetwork to_torch(const NetworkWeights& weights);
// A copy of the module's parameters, from any device.
NetworkWeights to_weights(TorchNetwork network);

}  // namespace awale::nn
