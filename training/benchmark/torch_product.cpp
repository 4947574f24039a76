#include <torch/torch.h>

#include "training/benchmark/nn_workloads.hpp"

namespace awale::training {
namespace {

class TorchProduct : public Workload {
 public:
  TorchProduct(const nn::NetworkConfig& network, int batch)
      : input_(torch::randn({batch, network.width})) {
    // So scaled that the products of products stay of the same size.
    for (int layer = 0; layer < 2 * network.blocks; ++layer) {
      weights_.push_back(torch::randn({network.width, network.width}) /
                         std::sqrt(static_cast<float>(network.width)));
      outputs_.push_back(torch::empty_like(input_));
    }
  }

  long run() override {
    thread_local const bool one_thread = (at::set_num_threads(1), true);
    static_cast<void>(one_thread);
    const torch::InferenceMode inference;
    const torch::Tensor* in = &input_;
    for (std::size_t layer = 0; layer < weights_.size(); ++layer) {
      torch::mm_out(outputs_[layer], *in, weights_[layer]);
      in = &outputs_[layer];
    }
    return input_.size(0);
  }

 private:
  torch::Tensor input_;
  std::vector<torch::Tensor> weights_;
  std::vector<torch::Tensor> outputs_;
};

}  // namespace

std::unique_ptr<Workload> make_torch_product(const nn::NetworkConfig& network, int batch) {
  return std::make_unique<TorchProduct>(network, batch);
}

}  // namespace awale::training
