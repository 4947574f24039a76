// The way to LibTorch. It takes half a second of processor time to load, and most of what the
// program does needs none of it; so all that computes with LibTorch is a module of its own,
// libawale_torch.so, loaded by the first call that needs it. Who calls does not notice: the
// functions of torch_evaluator.hpp, torch_info.hpp, export.hpp and training's learner are defined
// twice, in the module (what they do) and in the program (torch_calls.cpp: ask the module).
//
// The module is linked with its own copy of what it needs of the program's libraries, and nothing
// of either is visible to the other but the tables of functions below.
#pragma once

#include "nn/export.hpp"
#include "nn/torch_evaluator.hpp"
#include "nn/torch_info.hpp"

#define AWALE_TORCH_TABLE extern "C" __attribute__((visibility("default")))

namespace awale::nn {

// What this folder asks of the module.
inline constexpr const char* kTorchFunctions = "kAwaleTorchFunctions";
struct TorchFunctions {
  decltype(&nn::has_cuda) has_cuda;
  decltype(&nn::make_device_network) make_device_network;
  decltype(&nn::make_torch_evaluator) make_torch_evaluator;
  decltype(&nn::torch_info) torch_info;
  decltype(&nn::export_network) export_network;
};

// The address of `table` in the module, which stays loaded. Any thread. Throws InputError(kFile) if
// the module or a library that it needs is missing, kUsage for a BLAS that cannot be used. Says in
// one line on stderr if matrix products are slow here, and what to do.
const void* torch_table(const char* table);

template <typename Functions>
const Functions& torch_functions(const char* table) {
  return *static_cast<const Functions*>(torch_table(table));
}

}  // namespace awale::nn
