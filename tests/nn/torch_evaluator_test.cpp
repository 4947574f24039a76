// The LibTorch evaluator through its LibTorch-free header: equal to Eigen, shared between threads.
#include "nn/torch_evaluator.hpp"

#include <algorithm>
#include <thread>

#include "nn/eigen_evaluator.hpp"
#include "nn/torch_info.hpp"
#include "tests/contract/evaluator_contract.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

constexpr double kTolerance = 1e-5;

TEST_CASE("The LibTorch evaluator keeps the evaluator contract") {
  const auto network = nn::make_device_network(lively_weights({2, 24}, 3), nn::Device::kCpu);
  const auto evaluator = nn::make_torch_evaluator(network);
  CHECK(evaluator->name() == "torch:cpu 2x24");
  check_evaluator_contract(*evaluator, {.between_batch_sizes = kTolerance});
}

TEST_CASE("LibTorch and Eigen agree") {
  for (const nn::NetworkConfig config : {nn::NetworkConfig{1, 17}, nn::NetworkConfig{2, 128}}) {
    const auto weights = std::make_shared<nn::NetworkWeights>(lively_weights(config, 4));
    const auto eigen = nn::make_eigen_evaluator(weights);
    const auto torch =
        nn::make_torch_evaluator(nn::make_device_network(*weights, nn::Device::kAuto));
    for (const env::RuleSet& rules : many_rules()) {
      const auto positions = random_positions(rules, 300, 5);
      const auto expected = evaluate_all(*eigen, rules, positions);
      const auto found = evaluate_all(*torch, rules, positions);
      for (std::size_t i = 0; i < positions.size(); ++i) {
        INFO(env::describe(rules) << " at " << positions[i].board);
        REQUIRE(nn::max_difference(expected[i], found[i]) <= kTolerance);
      }
    }
  }
}

TEST_CASE("LibTorch in bfloat16 keeps the evaluator contract within its tolerance") {
  const auto network = nn::make_device_network(lively_weights({2, 24}, 3), nn::Device::kCpu,
                                               nn::TorchPrecision::kBfloat16);
  const auto evaluator = nn::make_torch_evaluator(network);
  CHECK(evaluator->name() == "torch:cpu bf16 2x24");
  check_evaluator_contract(*evaluator, {.between_batch_sizes = nn::kTorchBf16Tolerance});
}

TEST_CASE("LibTorch in bfloat16 agrees with float32 within its tolerance, and is not it") {
  for (const nn::NetworkConfig config :
       {nn::NetworkConfig{1, 17}, nn::NetworkConfig{2, 128}, nn::NetworkConfig{6, 256}}) {
    const auto weights = lively_weights(config, 4);
    const auto exact =
        nn::make_torch_evaluator(nn::make_device_network(weights, nn::Device::kAuto));
    const auto rough = nn::make_torch_evaluator(
        nn::make_device_network(weights, nn::Device::kAuto, nn::TorchPrecision::kBfloat16));
    double largest = 0;
    for (const env::RuleSet& rules : many_rules()) {
      const auto positions = random_positions(rules, 300, 5);
      const auto expected = evaluate_all(*exact, rules, positions);
      const auto found = evaluate_all(*rough, rules, positions);
      for (std::size_t i = 0; i < positions.size(); ++i)
        largest = std::max(largest, nn::max_difference(expected[i], found[i]));
    }
    INFO(rough->name());
    CHECK(largest <= nn::kTorchBf16Tolerance);
    CHECK(largest > 1e-4);
  }
}

TEST_CASE("LibTorch counts its rows and its time") {
  const auto evaluator = nn::make_torch_evaluator(
      nn::make_device_network(lively_weights({1, 16}, 6), nn::Device::kAuto));
  CHECK(evaluator->stats().rows == 0);
  const env::RuleSet rules;
  evaluate_all(*evaluator, rules, random_positions(rules, 600, 7));
  evaluate_all(*evaluator, rules, random_positions(rules, 5, 7));
  CHECK(evaluator->stats().rows == 605);
  CHECK(evaluator->stats().cache_hits == 0);
  CHECK(evaluator->stats().encoding_seconds > 0);
  CHECK(evaluator->stats().network_seconds > 0);
}

TEST_CASE("A long batch is its pieces, to the bit") {
  const auto network = nn::make_device_network(lively_weights({1, 16}, 6), nn::Device::kCpu);
  const auto evaluator = nn::make_torch_evaluator(network);
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 1000, 7);
  const auto whole = evaluate_all(*evaluator, rules, positions);
  for (std::size_t first = 0; first < positions.size(); first += 256) {
    const std::size_t rows = std::min<std::size_t>(256, positions.size() - first);
    const auto piece = evaluate_all(*evaluator, rules, std::span(positions).subspan(first, rows));
    for (std::size_t i = 0; i < rows; ++i)
      REQUIRE(same_bits(piece[i], whole[first + i]));
  }
}

TEST_CASE("Threads with evaluators of their own share a network and get the same numbers") {
  const auto network = nn::make_device_network(lively_weights({2, 32}, 8), nn::Device::kCpu);
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 256, 9);
  const auto expected = evaluate_all(*nn::make_torch_evaluator(network), rules, positions);
  std::vector<std::vector<nn::Evaluation>> found(3);
  std::vector<std::thread> threads;
  for (auto& mine : found) {
    threads.emplace_back([&] {
      const auto evaluator = nn::make_torch_evaluator(network);
      for (int i = 0; i < 5; ++i)
        mine = evaluate_all(*evaluator, rules, positions);
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& evaluations : found) {
    for (std::size_t i = 0; i < positions.size(); ++i) {
      REQUIRE(same_bits(evaluations[i], expected[i]));
    }
  }
}

TEST_CASE("The LibTorch evaluator counts its rows and its time") {
  const auto network = nn::make_device_network(lively_weights({1, 16}, 10), nn::Device::kCpu);
  const auto evaluator = nn::make_torch_evaluator(network);
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 300, 11);
  CHECK(evaluator->stats().rows == 0);
  evaluate_all(*evaluator, rules, positions);
  CHECK(evaluator->stats().rows == 300);
  CHECK(evaluator->stats().encoding_seconds > 0);
  CHECK(evaluator->stats().network_seconds > 0);
}

TEST_CASE("CUDA is used exactly where there is a GPU") {
  const nn::NetworkWeights weights = lively_weights({1, 8}, 1);
  const bool cuda = nn::torch_info().cuda_devices > 0;
  const auto chosen = nn::make_torch_evaluator(nn::make_device_network(weights, nn::Device::kAuto));
  CHECK(chosen->name() == (cuda ? "torch:cuda 1x8" : "torch:cpu 1x8"));
  if (cuda) return;
  CHECK(contains(
      error_of(ErrorKind::kUsage, [&] { nn::make_device_network(weights, nn::Device::kCuda); }),
      "LibTorch sees no CUDA GPU"));
}

TEST_CASE("LibTorch's version and BLAS are told") {
  const nn::TorchInfo info = nn::torch_info();
  CHECK_FALSE(info.version.empty());
  CHECK_FALSE(info.blas.empty());
  CHECK(info.cpu_gflops > 0);
}

TEST_CASE("A slow BLAS is called by its cure") {
  CHECK(nn::blas_warning(true, 100, "").empty());
  CHECK(nn::blas_warning(false, 100, "").empty());
  CHECK(nn::blas_warning(true, 3, "").empty());  // a slow machine
  CHECK(contains(nn::blas_warning(false, 1, ""), "libopenblas0-pthread"));
  CHECK(contains(nn::blas_warning(true, 30, "SkylakeX"), "OPENBLAS_CORETYPE=SkylakeX"));
}

}  // namespace
}  // namespace awale::test
