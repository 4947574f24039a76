// The network on the vector units of this CPU, without LibTorch: for any batch, from single
// positions to thousands. Needs AVX2 and FMA at least.
//
// A CpuNetwork is packed once and shared, also between threads; it never changes. Evaluators are
// one a thread and cheap: they add only buffers. A row has the same bits in every batch.
#pragma once

#include <memory>

#include "nn/evaluator.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

enum class CpuPrecision {
  kFloat32,   // within 1e-5 of the other evaluators
  kBfloat16,  // products of bfloat16, sums of float32; see README.md for what that costs
  kInt8,      // products of bytes, heads of float32; likewise
};

// Whether this machine can: float32 wants AVX-512F or AVX2 with FMA, bfloat16 AVX512-BF16, int8
// AVX512-VNNI.
bool has_cpu_kernel(CpuPrecision precision);

class CpuNetwork;  // the weights, packed

// has_cpu_kernel(precision) must hold.
std::shared_ptr<const CpuNetwork> make_cpu_network(const NetworkWeights& weights,
                                                   CpuPrecision precision);

// Any batch size; long batches are computed in pieces that fit the cache, and after the first call
// of a size nothing is allocated. name(): "cpu-int8 2x128", "cpu-bf16 2x128", "cpu-fp32 2x128".
std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const CpuNetwork> network);

}  // namespace awale::nn
