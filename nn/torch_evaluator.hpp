// The network on LibTorch, on the CPU or a CUDA device: what self-play and matches evaluate with.
// No LibTorch in this header.
//
// A DeviceNetwork is built once and shared, also between threads; it never changes. Evaluators are
// one a thread and cheap: they add only buffers. Each thread that evaluates computes with one
// intra-op thread, so the caller's threads are all the parallelism there is.
#pragma once

#include <memory>
#include <string>

#include "nn/evaluator.hpp"
#include "nn/evaluator_config.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

// kBfloat16: the residual blocks in bfloat16, 8 bits of precision; the input layer and the heads
// stay float32. Outputs differ by kTorchBf16Tolerance at most from float32's (max_difference()) in
// tests with networks whose outputs are as large as trained ones'.
enum class TorchPrecision { kFloat32, kBfloat16 };
inline constexpr double kTorchBf16Tolerance = 0.05;

// Whether LibTorch sees a CUDA GPU.
bool has_cuda();

class DeviceNetwork;  // the weights as LibTorch tensors

// Throws InputError(kUsage) for kCuda when LibTorch sees no GPU.
std::shared_ptr<const DeviceNetwork> make_device_network(
    const NetworkWeights& weights, Device device,
    TorchPrecision precision = TorchPrecision::kFloat32);

// An evaluator of `network`. Any batch size; long batches are computed in pieces that fit the
// cache. name(): "torch:cpu 2x128", "torch:cuda bf16 2x128".
std::unique_ptr<Evaluator> make_torch_evaluator(std::shared_ptr<const DeviceNetwork> network);

}  // namespace awale::nn
