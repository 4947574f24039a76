// Every kernel of the CPU evaluator against Eigen, and a row's bits in every batch.
#include "nn/cpu_evaluator.hpp"

#include <thread>

#include "nn/cpu_kernel.hpp"
#include "nn/eigen_evaluator.hpp"
#include "tests/contract/evaluator_contract.hpp"
#include "tests/support/allocations.hpp"

namespace awale::test {
namespace {

using nn::CpuKernel;
using nn::CpuPrecision;
using nn::Evaluation;
using nn::NetworkConfig;
using nn::NetworkWeights;

// float32: another order of the same sums. bfloat16: each weight and each activation is off by up
// to 2^-9 of itself. With these networks, whose logits are as large as 3 to 5, that makes 0.031 at
// most in 2000 positions and 0.007 on average, nearly the same for all widths and up to 3 blocks.
// int8, whose heads are float32, is not off by more here; trained weights differ more in size.
double tolerance(const CpuKernel& kernel) {
  return kernel.precision == CpuPrecision::kFloat32 ? 1e-5 : 0.04;
}

std::string name_of(CpuPrecision precision) {
  return precision == CpuPrecision::kFloat32    ? "cpu-fp32"
         : precision == CpuPrecision::kBfloat16 ? "cpu-bf16"
                                                : "cpu-int8";
}

std::unique_ptr<nn::Evaluator> evaluator(const NetworkWeights& weights, const CpuKernel& kernel) {
  return nn::make_cpu_evaluator(nn::make_cpu_network(weights, kernel));
}

double largest_difference(std::span<const Evaluation> left, std::span<const Evaluation> right) {
  double largest = 0;
  for (std::size_t i = 0; i < left.size(); ++i)
    largest = std::max(largest, nn::max_difference(left[i], right[i]));
  return largest;
}

bool all_same_bits(std::span<const Evaluation> left, std::span<const Evaluation> right) {
  return std::equal(left.begin(), left.end(), right.begin(), right.end(), same_bits);
}

TEST_CASE("every CPU kernel keeps the evaluator contract") {
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    const auto cpu = evaluator(lively_weights({2, 24}, 3), kernel);
    CHECK(cpu->name() == name_of(kernel.precision) + " 2x24");
    check_evaluator_contract(*cpu);
  }
}

TEST_CASE("every CPU kernel agrees with Eigen for all widths and depths") {
  for (const int width : {1, 2, 16, 31, 40, 64, 128, 256, 300}) {
    for (const int blocks : {1, 2, 3}) {
      const auto weights =
          std::make_shared<NetworkWeights>(lively_weights({blocks, width}, 100 + width));
      const auto eigen = nn::make_eigen_evaluator(weights);
      for (const env::RuleSet& rules : many_rules()) {
        const auto positions = random_positions(rules, 60, 7);
        const auto expected = evaluate_all(*eigen, rules, positions);
        for (const CpuKernel& kernel : nn::cpu_kernels()) {
          INFO(kernel.name << " " << blocks << "x" << width << " " << env::describe(rules));
          const auto found = evaluate_all(*evaluator(*weights, kernel), rules, positions);
          const double difference = largest_difference(expected, found);
          REQUIRE(difference <= tolerance(kernel));
        }
      }
    }
  }
}

TEST_CASE("an evaluator follows when the rules change") {
  const auto weights = std::make_shared<NetworkWeights>(lively_weights({1, 32}, 5));
  const auto eigen = nn::make_eigen_evaluator(weights);
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    const auto cpu = evaluator(*weights, kernel);
    for (int again = 0; again < 2; ++again) {
      for (const env::RuleSet& rules : many_rules()) {
        const auto positions = random_positions(rules, 5, 8);
        const auto expected = evaluate_all(*eigen, rules, positions);
        REQUIRE(largest_difference(expected, evaluate_all(*cpu, rules, positions)) <=
                tolerance(kernel));
      }
    }
  }
}

TEST_CASE("a row has the same bits in every batch and at every place of it") {
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 1000, 9);
  for (const int width : {40, 128, 300}) {
    for (const CpuKernel& kernel : nn::cpu_kernels()) {
      const auto cpu = evaluator(lively_weights({2, width}, 10), kernel);
      const auto whole = evaluate_all(*cpu, rules, positions);
      std::vector<std::size_t> sizes = {127, 128, 129, 255, 256, 257, 600};
      for (std::size_t size = 1; size <= 70; ++size)
        sizes.push_back(size);
      for (const std::size_t size : sizes) {
        for (const std::size_t first : {std::size_t{0}, std::size_t{131}, 1000 - size}) {
          INFO(kernel.name << " width " << width << ": " << size << " rows from " << first);
          const auto part = evaluate_all(*cpu, rules, std::span(positions).subspan(first, size));
          REQUIRE(all_same_bits(part, std::span(whole).subspan(first, size)));
        }
      }
    }
  }
}

TEST_CASE("the float32 kernels give the same bits") {
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 100, 11);
  const NetworkWeights weights = lively_weights({2, 96}, 12);
  std::vector<Evaluation> first;
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    if (kernel.precision != CpuPrecision::kFloat32) continue;
    const auto found = evaluate_all(*evaluator(weights, kernel), rules, positions);
    if (first.empty()) first = found;
    INFO(kernel.name);
    REQUIRE(all_same_bits(first, found));
  }
}

// The first layer of a bfloat16 network adds int16 numbers: no sum of them may overflow.
TEST_CASE("the largest sums of the first layer do not overflow") {
  NetworkWeights weights = lively_weights({1, 64}, 13);
  // Every position has the largest sum in the even columns.
  auto& rows = weights.tensors[0].values;
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = i % 2 == 0 || rows[i] > 0 ? 0.05F : -0.05F;
  const auto eigen = nn::make_eigen_evaluator(std::make_shared<NetworkWeights>(weights));
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 200, 14);
  const auto expected = evaluate_all(*eigen, rules, positions);
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    INFO(kernel.name);
    REQUIRE(largest_difference(expected, evaluate_all(*evaluator(weights, kernel), rules,
                                                      positions)) <= tolerance(kernel));
  }
}

TEST_CASE("win, draw and loss of large logits are a softmax") {
  for (const float size : {30.0F, 3000.0F}) {
    NetworkWeights weights = lively_weights({1, 16}, 15);
    for (float& value : weights.tensors.back().values)
      value = size * (&value - weights.tensors.back().values.data() == 7 ? 1.0F : -0.01F);
    const auto eigen = nn::make_eigen_evaluator(std::make_shared<NetworkWeights>(weights));
    const env::RuleSet rules;
    const auto positions = random_positions(rules, 20, 16);
    const auto expected = evaluate_all(*eigen, rules, positions);
    for (const CpuKernel& kernel : nn::cpu_kernels()) {
      const auto found = evaluate_all(*evaluator(weights, kernel), rules, positions);
      REQUIRE(largest_difference(expected, found) <= tolerance(kernel));
    }
  }
}

TEST_CASE("threads with evaluators of their own share a CPU network and get the same bits") {
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 300, 17);
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    const auto network = nn::make_cpu_network(lively_weights({2, 64}, 18), kernel);
    const auto expected = evaluate_all(*nn::make_cpu_evaluator(network), rules, positions);
    std::vector<std::vector<Evaluation>> found(2);
    std::vector<std::thread> threads;
    for (auto& mine : found) {
      threads.emplace_back([&] {
        const auto cpu = nn::make_cpu_evaluator(network);
        for (int i = 0; i < 5; ++i)
          mine = evaluate_all(*cpu, rules, positions);
      });
    }
    for (std::thread& thread : threads)
      thread.join();
    for (const auto& evaluations : found)
      REQUIRE(all_same_bits(evaluations, expected));
  }
}

TEST_CASE("after the first call of a size a CPU evaluator allocates nothing") {
  const auto positions = random_positions(env::RuleSet{}, 600, 22);
  std::vector<Evaluation> evaluations(positions.size());
  for (const CpuKernel& kernel : nn::cpu_kernels()) {
    const auto cpu = evaluator(lively_weights({2, 64}, 23), kernel);
    const auto before_first = allocations();
    cpu->evaluate(env::RuleSet{}, positions, evaluations);
    REQUIRE(allocations() > before_first);
    const env::RuleSet other = env::preset("awari");
    const auto before_second = allocations();
    cpu->evaluate(other, positions, evaluations);
    cpu->evaluate(other, {positions.data(), 1}, {evaluations.data(), 1});
    cpu->evaluate(other, positions, evaluations);
    CHECK(allocations() == before_second);
  }
}

TEST_CASE("the CPU evaluator takes the first kernel of the precision asked for") {
  for (const CpuPrecision precision :
       {CpuPrecision::kFloat32, CpuPrecision::kBfloat16, CpuPrecision::kInt8}) {
    if (!nn::has_cpu_kernel(precision)) continue;
    const NetworkWeights weights = lively_weights({1, 8}, 19);
    const auto cpu = nn::make_cpu_evaluator(nn::make_cpu_network(weights, precision));
    CHECK(cpu->name() == name_of(precision) + " 1x8");
  }
}

TEST_CASE("evaluators count their rows and their time") {
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 300, 20);
  const auto weights = std::make_shared<NetworkWeights>(lively_weights({1, 32}, 21));
  std::vector<std::unique_ptr<nn::Evaluator>> evaluators;
  evaluators.push_back(nn::make_eigen_evaluator(weights));
  for (const CpuKernel& kernel : nn::cpu_kernels())
    evaluators.push_back(evaluator(*weights, kernel));
  for (const auto& one : evaluators) {
    INFO(one->name());
    CHECK(one->stats().rows == 0);
    evaluate_all(*one, rules, positions);
    evaluate_all(*one, rules, std::span(positions).first(1));
    const nn::EvaluatorStats stats = one->stats();
    CHECK(stats.rows == 301);
    CHECK(stats.encoding_seconds > 0);
    CHECK(stats.network_seconds > 0);
    CHECK(stats.cache_hits == 0);
  }
}

}  // namespace
}  // namespace awale::test
