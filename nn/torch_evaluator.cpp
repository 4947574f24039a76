#include "nn/torch_evaluator.hpp"

#include <algorithm>
#include <chrono>

#include "env/error.hpp"
#include "nn/encoder.hpp"
#include "nn/torch_network.hpp"

namespace awale::nn {

class DeviceNetwork {
 public:
  DeviceNetwork(const NetworkWeights& weights, torch::Device target, TorchPrecision precision_in)
      : device(target), precision(precision_in), module(to_torch(weights)) {
    module->to(device);
    if (precision == TorchPrecision::kBfloat16) module->compute_blocks_in(torch::kBFloat16);
  }

  torch::Device device;
  TorchPrecision precision;
  TorchNetwork module;
};

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// Measured at 2x128 and 2x256: activations of more rows fall out of the cache of a core.
constexpr std::size_t kCpuPieceRows = 256;
// Bounds the memory of a call only.
constexpr std::size_t kCudaPieceRows = 16384;

torch::Device choose(Device device) {
  if (device == Device::kCuda && !has_cuda()) {
    throw InputError(
        ErrorKind::kUsage,
        "evaluator.device: 'cuda' asked for, but LibTorch sees no CUDA GPU; take cpu or auto");
  }
  return device == Device::kCpu || !has_cuda() ? torch::kCPU : torch::kCUDA;
}

// LibTorch's setting is one a thread.
void use_one_thread_here() {
  thread_local const bool done = (at::set_num_threads(1), true);
  static_cast<void>(done);
}

class TorchEvaluator final : public Evaluator {
 public:
  explicit TorchEvaluator(std::shared_ptr<const DeviceNetwork> network)
      : network_(std::move(network)), module_(network_->module) {}

  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override {
    AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
    use_one_thread_here();
    const torch::InferenceMode inference;
    const std::size_t piece = network_->device.is_cuda() ? kCudaPieceRows : kCpuPieceRows;
    for (std::size_t first = 0; first < positions.size(); first += piece) {
      const std::size_t rows = std::min(piece, positions.size() - first);
      evaluate_piece(rules, positions.subspan(first, rows), evaluations.subspan(first, rows));
    }
  }

  std::string name() const override {
    const NetworkConfig& config = module_->config();
    std::string text = network_->device.is_cuda() ? "torch:cuda " : "torch:cpu ";
    if (network_->precision == TorchPrecision::kBfloat16) text += "bf16 ";
    return text + std::to_string(config.blocks) + "x" + std::to_string(config.width);
  }

  EvaluatorStats stats() const override { return stats_; }

 private:
  void evaluate_piece(const env::RuleSet& rules, std::span<const env::Position> positions,
                      std::span<Evaluation> evaluations) {
    const auto rows = static_cast<std::int64_t>(positions.size());
    const auto start = Clock::now();
    reserve(rows);
    const auto features = features_.narrow(0, 0, rows);
    encode(rules, positions,
           {features.data_ptr<std::int32_t>(), positions.size() * kActiveFeatures});
    const auto encoded = Clock::now();
    const auto heads = module_->forward(features.to(network_->device, /*non_blocking=*/true))
                           .to(torch::kCPU)
                           .contiguous();
    const float* row = heads.data_ptr<float>();
    for (Evaluation& evaluation : evaluations) {
      evaluation = evaluation_of(std::span<const float, kHeadColumns>(row, kHeadColumns));
      row += kHeadColumns;
    }
    stats_.rows += positions.size();
    stats_.encoding_seconds += Seconds(encoded - start).count();
    stats_.network_seconds += Seconds(Clock::now() - encoded).count();
  }

  void reserve(std::int64_t rows) {
    if (features_.defined() && features_.size(0) >= rows) return;
    const auto options = torch::TensorOptions().dtype(torch::kInt32);
    // Page-locked memory lets the copy to the GPU run without a staging copy.
    features_ =
        torch::empty({rows, kActiveFeatures}, options.pinned_memory(network_->device.is_cuda()));
  }

  std::shared_ptr<const DeviceNetwork> network_;
  TorchNetwork module_;     // the same module: a handle that may call forward()
  torch::Tensor features_;  // [capacity, K] int32, reused
  EvaluatorStats stats_;
};

}  // namespace

bool has_cuda() {
  return torch::cuda::is_available();
}

std::shared_ptr<const DeviceNetwork> make_device_network(const NetworkWeights& weights,
                                                         Device device, TorchPrecision precision) {
  return std::make_shared<const DeviceNetwork>(weights, choose(device), precision);
}

std::unique_ptr<Evaluator> make_torch_evaluator(std::shared_ptr<const DeviceNetwork> network) {
  return std::make_unique<TorchEvaluator>(std::move(network));
}

}  // namespace awale::nn
