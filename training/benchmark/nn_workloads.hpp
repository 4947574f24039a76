// The contestants of the networks' benchmark: each answers a batch of B positions a run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "nn/weights.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

// The baseline of the ratios.
inline constexpr const char* kTorchEngine = "torch";

// Those that this machine has.
std::vector<std::string> nn_contestants();
std::vector<std::string> encoder_contestants();

// The contestant called `name`; it walks through positions of random games.
std::unique_ptr<Workload> make_nn_workload(const std::string& name,
                                           const nn::NetworkWeights& weights,
                                           const env::RuleSet& rules, int batch);
std::unique_ptr<Workload> make_encoder_workload(const std::string& name, const env::RuleSet& rules,
                                                int batch);

// The bare products of the residual blocks with which the contestant called `name` is compared:
// for float32 those of LibTorch, for bfloat16 those of the CPU evaluator's own kernel.
std::string product_of(const std::string& name);
std::unique_ptr<Workload> make_product_workload(const std::string& product,
                                                const nn::NetworkWeights& weights, int batch);

// [B, W] times [W, W], 2 * blocks times, by LibTorch in float32.
std::unique_ptr<Workload> make_torch_product(const nn::NetworkConfig& network, int batch);

}  // namespace awale::training
