// What this folder asks of the module that computes with LibTorch: nn/torch_module.hpp.
#pragma once

#include "nn/torch_module.hpp"
#include "training/benchmark/nn_workloads.hpp"
#include "training/learner_backend.hpp"

namespace awale::training {

inline constexpr const char* kTorchTrainingFunctions = "kAwaleTorchTrainingFunctions";
struct TorchTrainingFunctions {
  decltype(&training::make_torch_learner) make_torch_learner;
  decltype(&training::make_torch_product) make_torch_product;
};

}  // namespace awale::training
