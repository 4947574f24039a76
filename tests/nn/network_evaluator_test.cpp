// Every way to evaluate a network, chosen by config.
#include "nn/network_evaluator.hpp"

#include <algorithm>
#include <limits>

#include "nn/cpu_kernel.hpp"
#include "nn/encoder.hpp"
#include "nn/torch_evaluator.hpp"
#include "tests/contract/evaluator_contract.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using nn::CpuPrecision;
using nn::EvaluatorConfig;
using nn::EvaluatorKind;

bool is_here(EvaluatorKind kind) {
  if (kind == EvaluatorKind::kCpuFp32) return nn::has_cpu_kernel(CpuPrecision::kFloat32);
  if (kind == EvaluatorKind::kCpuBf16) return nn::has_cpu_kernel(CpuPrecision::kBfloat16);
  if (kind == EvaluatorKind::kCpuInt8) return nn::has_cpu_kernel(CpuPrecision::kInt8);
  return true;
}

// What auto may take for a network whose weights are rounded without harm; "": nothing.
std::string rounded_name(const std::string& network) {
  const auto kernels = nn::cpu_kernels();
  if (kernels.empty() || kernels.front().precision == CpuPrecision::kFloat32) return "";
  return (kernels.front().precision == CpuPrecision::kInt8 ? "cpu-int8 " : "cpu-bf16 ") + network;
}

// Of a kind on the CPU.
ContractTolerance contract_tolerance(EvaluatorKind kind) {
  if (kind == EvaluatorKind::kTorch) return {1e-5};
  if (kind == EvaluatorKind::kTorchBf16) return {nn::kTorchBf16Tolerance};
  return {0};
}

std::vector<EvaluatorKind> named_kinds_here() {
  std::vector<EvaluatorKind> kinds;
  for (const auto& [name, kind] : nn::evaluator_kinds()) {
    if (kind != EvaluatorKind::kAuto && is_here(kind)) kinds.push_back(kind);
  }
  return kinds;
}

std::string refusal(const EvaluatorConfig& config) {
  return error_of(ErrorKind::kUsage, [&] {
    nn::make_network_source(lively_weights({1, 8}, 1), config);
  });
}

std::string chosen(const nn::NetworkWeights& weights, const env::RuleSet& rules = {}) {
  return nn::make_network_source(weights, {EvaluatorKind::kAuto, nn::Device::kCpu, 0}, rules)
      ->name();
}

TEST_CASE("Every kind keeps the evaluator contract, alone, on threads and behind a cache") {
  const auto weights = lively_weights({2, 24}, 3);
  for (const EvaluatorKind kind : named_kinds_here()) {
    INFO(to_string(kind));
    const auto tolerance = contract_tolerance(kind);
    const auto plain = nn::make_network_source(weights, {kind, nn::Device::kCpu, 0});
    check_evaluator_contract(*plain->make(), tolerance);
    check_evaluator_contract(*plain->make(3), tolerance);
    if (rows_depend_on_batch(kind)) continue;
    const auto cached = nn::make_network_source(weights, {kind, nn::Device::kCpu, 100});
    check_evaluator_contract(*cached->make());
    check_evaluator_contract(*cached->make(3));
  }
}

TEST_CASE("Threads and caches change no bit of kinds whose rows do not depend on the batch") {
  const auto weights = lively_weights({2, 64}, 3);
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 500, 4);
  for (const EvaluatorKind kind : named_kinds_here()) {
    if (rows_depend_on_batch(kind)) continue;
    const auto plain = nn::make_network_source(weights, {kind, nn::Device::kAuto, 0});
    const auto cached = nn::make_network_source(weights, {kind, nn::Device::kAuto, 1000});
    const auto expected = evaluate_all(*plain->make(), rules, positions);
    for (const auto& evaluator : {plain->make(4), cached->make(), cached->make(4)}) {
      INFO(evaluator->name());
      for (int round = 0; round < 2; ++round) {
        const auto found = evaluate_all(*evaluator, rules, positions);
        for (std::size_t i = 0; i < positions.size(); ++i)
          REQUIRE(same_bits(found[i], expected[i]));
      }
    }
  }
}

TEST_CASE("Evaluators are called by kind, device, network, threads and cache") {
  const auto weights = lively_weights({1, 8}, 1);
  const auto source = [&](EvaluatorKind kind, int cache) {
    return nn::make_network_source(weights, {kind, nn::Device::kCpu, cache});
  };
  CHECK(source(EvaluatorKind::kTorch, 0)->name() == "torch:cpu 1x8");
  CHECK(source(EvaluatorKind::kTorchBf16, 0)->name() == "torch:cpu bf16 1x8");
  CHECK(source(EvaluatorKind::kEigen, 0)->name() == "eigen 1x8");
  CHECK(source(EvaluatorKind::kEigen, 1000)->name() == "eigen 1x8, cache 1000");
  CHECK(source(EvaluatorKind::kEigen, 8)->make(2)->name() == "eigen 1x8, 2 threads, cache 8");
  if (is_here(EvaluatorKind::kCpuFp32))
    CHECK(source(EvaluatorKind::kCpuFp32, 0)->name() == "cpu-fp32 1x8");
  if (is_here(EvaluatorKind::kCpuBf16))
    CHECK(source(EvaluatorKind::kCpuBf16, 0)->name() == "cpu-bf16 1x8");
  if (is_here(EvaluatorKind::kCpuInt8))
    CHECK(source(EvaluatorKind::kCpuInt8, 0)->name() == "cpu-int8 1x8");
}

void scale_heads(nn::NetworkWeights& weights, float factor) {
  for (auto& tensor : weights.tensors) {
    if (!tensor.name.starts_with("heads.")) continue;
    for (float& value : tensor.values)
      value *= factor;
  }
}

TEST_CASE("auto takes the fastest kernel that agrees with the reference on this network") {
  auto weights = lively_weights({2, 64}, 5);
  const bool fp32 = is_here(EvaluatorKind::kCpuFp32);
  const std::string exact = fp32 ? "cpu-fp32 2x64" : "torch:cpu 2x64";
  const std::string rounded = rounded_name("2x64");
  CHECK(chosen(weights) == (rounded.empty() ? exact : rounded));
  scale_heads(weights, 30);  // logits of 150: what bfloat16 and int8 are off by is more than 0.1
  CHECK(chosen(weights) == exact);
  scale_heads(weights,
              std::numeric_limits<float>::infinity());  // what is not a number agrees with nothing
  CHECK(chosen(weights) == "torch:cpu 2x64");
}

// Nothing keeps the weights small that no game has ever used.
TEST_CASE("auto asks the reference under the rules that the network has learnt") {
  const auto learnt = env::preset("valencian");
  auto weights = lively_weights({2, 64}, 5);
  scale_heads(weights, 3);
  auto& input = weights.tensors.front();
  REQUIRE(input.name == "input.weight");
  const auto used = nn::rule_indices(learnt);
  for (const std::int32_t feature : nn::rule_indices(env::preset("abapa"))) {
    if (std::find(used.begin(), used.end(), feature) != used.end()) continue;
    for (std::size_t unit = 0; unit < 64; ++unit)
      input.values[static_cast<std::size_t>(feature) * 64 + unit] *= 30;
  }
  const std::string rounded = rounded_name("2x64");
  const bool fp32 = is_here(EvaluatorKind::kCpuFp32);
  if (!rounded.empty()) CHECK(chosen(weights, learnt) == rounded);
  CHECK((chosen(weights, learnt) == "torch:cpu 2x64") == !fp32);
  CHECK(chosen(weights, env::preset("abapa")) == (fp32 ? "cpu-fp32 2x64" : "torch:cpu 2x64"));
}

TEST_CASE("auto takes the GPU where there is one, and no cache where it takes LibTorch") {
  const auto weights = lively_weights({1, 8}, 1);
  const auto name =
      nn::make_network_source(weights, {EvaluatorKind::kAuto, nn::Device::kAuto, 64})->name();
  if (nn::has_cuda()) {
    CHECK(name == "torch:cuda 1x8");
  } else if (is_here(EvaluatorKind::kCpuFp32)) {
    CHECK(contains(name, ", cache 64"));
  } else {
    CHECK(name == "torch:cpu 1x8");
  }
}

TEST_CASE("The reference differs from itself by nothing, from another network by much") {
  const auto weights = lively_weights({1, 8}, 1);
  const EvaluatorConfig eigen{EvaluatorKind::kEigen};
  const auto difference = [&](std::uint64_t seed) {
    const auto other = nn::make_network_source(lively_weights({1, 8}, seed), eigen);
    return nn::difference_from_reference(weights, *other->make());
  };
  CHECK(difference(1) == 0);
  CHECK(difference(2) > 0.1);
}

TEST_CASE("Kinds that this machine lacks and contradictions are refused by what to take") {
  const auto kernels = {EvaluatorKind::kCpuFp32, EvaluatorKind::kCpuBf16, EvaluatorKind::kCpuInt8};
  for (const EvaluatorKind kind : kernels) {
    const auto error = refusal({kind});
    CHECK(error.empty() == is_here(kind));
    if (!error.empty()) CHECK(contains(error, "which this processor lacks; take auto or torch"));
  }
  for (const EvaluatorKind kind : {EvaluatorKind::kEigen, EvaluatorKind::kCpuFp32,
                                   EvaluatorKind::kCpuBf16, EvaluatorKind::kCpuInt8}) {
    const auto error = refusal({kind, nn::Device::kCuda});
    CHECK(contains(
        error, "evaluator.device: 'cuda' contradicts evaluator.kind '" + to_string(kind) + "'"));
  }
  for (const EvaluatorKind kind : {EvaluatorKind::kTorch, EvaluatorKind::kTorchBf16})
    CHECK(contains(refusal({kind, nn::Device::kAuto, 1}), "evaluator.cache: expected 0"));
  CHECK(contains(refusal({EvaluatorKind::kAuto, nn::Device::kAuto, -1}), "found -1"));
  if (!nn::has_cuda())
    CHECK(contains(refusal({EvaluatorKind::kAuto, nn::Device::kCuda}), "sees no CUDA GPU"));
}

}  // namespace
}  // namespace awale::test
