#include "nn/network_evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "env/error.hpp"
#include "env/game.hpp"
#include "env/random.hpp"
#include "nn/cached_evaluator.hpp"
#include "nn/cpu_kernel.hpp"
#include "nn/eigen_evaluator.hpp"
#include "nn/parallel_evaluator.hpp"
#include "nn/torch_evaluator.hpp"

namespace awale::nn {
namespace {

using MakeEvaluator = NetworkSource::MakeEvaluator;

constexpr std::size_t kCheckedPositions = 64;

// From random games, a few plies apart: from the opening to the endgame.
std::vector<env::Position> checked_positions(const env::RuleSet& rules) {
  constexpr int kPliesApart = 5;
  std::vector<env::Position> positions;
  for (std::uint64_t id = 0; positions.size() < kCheckedPositions; ++id) {
    env::RandomStream stream(0, env::RandomPurpose::kRollout, id, 0);
    for (env::Game game(rules); !game.over(); game.play(env::random_move(game.legal(), stream))) {
      if (game.position().ply % kPliesApart == 0) positions.push_back(game.position());
    }
  }
  positions.resize(kCheckedPositions);
  return positions;
}

std::vector<Evaluation> evaluate(Evaluator& evaluator, const env::RuleSet& rules,
                                 std::span<const env::Position> positions) {
  std::vector<Evaluation> evaluations(positions.size());
  evaluator.evaluate(rules, positions, evaluations);
  return evaluations;
}

// The logits replaced by what a search makes of them: the softmax over the legal moves, 0
// elsewhere.
Evaluation with_probabilities(Evaluation evaluation, env::LegalMask legal) {
  auto& logits = evaluation.policy_logits;
  double largest = -HUGE_VAL;
  for (int move = 0; move < env::kMoves; ++move) {
    if ((legal >> move & 1) != 0) largest = std::fmax(largest, logits[move]);
  }
  double sum = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    const bool is_legal = (legal >> move & 1) != 0;
    logits[move] = is_legal ? static_cast<float>(std::exp(logits[move] - largest)) : 0.0F;
    sum += logits[move];
  }
  for (float& share : logits)
    share = static_cast<float>(share / sum);
  return evaluation;
}

MakeEvaluator torch_maker(const NetworkWeights& weights, Device device, TorchPrecision precision) {
  return [network = make_device_network(weights, device, precision)] {
    return make_torch_evaluator(network);
  };
}

MakeEvaluator eigen_maker(const NetworkWeights& weights) {
  return [shared = std::make_shared<const NetworkWeights>(weights)] {
    return make_eigen_evaluator(shared);
  };
}

MakeEvaluator cpu_maker(std::shared_ptr<const CpuNetwork> network) {
  return [network = std::move(network)] { return make_cpu_evaluator(network); };
}

// Looser than the agreement that tests with random weights show (nn/README.md), because trained
// weights may be larger; below what a search notices.
double tolerance(CpuPrecision precision) {
  return precision == CpuPrecision::kFloat32 ? kCpuFp32Tolerance : kCpuRoundedTolerance;
}

// The first CPU kernel that is here and right, an empty function if none is.
MakeEvaluator best_cpu_maker(const NetworkWeights& weights, const env::RuleSet& rules) {
  for (const CpuKernel& kernel : cpu_kernels()) {
    auto make = cpu_maker(make_cpu_network(weights, kernel));
    if (difference_from_reference(weights, *make(), rules) <= tolerance(kernel.precision))
      return make;
  }
  return {};
}

std::shared_ptr<const NetworkSource> choose(const NetworkWeights& weights,
                                            const EvaluatorConfig& config,
                                            const env::RuleSet& rules) {
  const bool gpu = config.device == Device::kCuda || (config.device == Device::kAuto && has_cuda());
  if (!gpu) {
    if (auto make = best_cpu_maker(weights, rules))
      return std::make_shared<NetworkSource>(std::move(make), config.cache_positions);
  }
  return std::make_shared<NetworkSource>(
      torch_maker(weights, config.device, TorchPrecision::kFloat32), 0);
}

// Of the kinds that are kernels of ours, which precision they have and what that needs.
struct CpuKind {
  EvaluatorKind kind;
  CpuPrecision precision;
  const char* needs;
};
constexpr CpuKind kCpuKinds[] = {
    {EvaluatorKind::kCpuFp32, CpuPrecision::kFloat32, "AVX-512 or AVX2 with FMA"},
    {EvaluatorKind::kCpuBf16, CpuPrecision::kBfloat16, "AVX512-BF16"},
    {EvaluatorKind::kCpuInt8, CpuPrecision::kInt8, "AVX512-VNNI"}};

const CpuKind* find_cpu_kind(EvaluatorKind kind) {
  const auto* found =
      std::ranges::find_if(kCpuKinds, [kind](const CpuKind& cpu) { return cpu.kind == kind; });
  return found == std::end(kCpuKinds) ? nullptr : found;
}

MakeEvaluator required_cpu_maker(const NetworkWeights& weights, const CpuKind& cpu) {
  if (!has_cpu_kernel(cpu.precision)) {
    throw InputError(ErrorKind::kUsage, "evaluator.kind: '" + to_string(cpu.kind) + "' needs " +
                                            cpu.needs +
                                            ", which this processor lacks; take auto or torch");
  }
  return cpu_maker(make_cpu_network(weights, cpu.precision));
}

MakeEvaluator named_maker(const NetworkWeights& weights, const EvaluatorConfig& config) {
  if (const CpuKind* cpu = find_cpu_kind(config.kind)) return required_cpu_maker(weights, *cpu);
  switch (config.kind) {
    case EvaluatorKind::kTorch:
      return torch_maker(weights, config.device, TorchPrecision::kFloat32);
    case EvaluatorKind::kTorchBf16:
      return torch_maker(weights, config.device, TorchPrecision::kBfloat16);
    case EvaluatorKind::kEigen:
      return eigen_maker(weights);
    case EvaluatorKind::kCpuFp32:
    case EvaluatorKind::kCpuBf16:
    case EvaluatorKind::kCpuInt8:
    case EvaluatorKind::kAuto:
      break;
  }
  AWALE_CHECK(false, "evaluator kind " << static_cast<int>(config.kind));
}

}  // namespace

std::unique_ptr<Evaluator> NetworkSource::make(int threads) const {
  auto evaluator = make_();
  if (threads > 1) {
    std::vector<std::unique_ptr<Evaluator>> parts;
    parts.push_back(std::move(evaluator));
    for (int part = 1; part < threads; ++part)
      parts.push_back(make_());
    evaluator = std::make_unique<ParallelEvaluator>(std::move(parts));
  }
  if (cache_positions_ == 0) return evaluator;
  return std::make_unique<CachedEvaluator>(std::move(evaluator),
                                           static_cast<std::size_t>(cache_positions_));
}

std::shared_ptr<const NetworkSource> make_network_source(const NetworkWeights& weights,
                                                         const EvaluatorConfig& config,
                                                         const env::RuleSet& rules) {
  config.validate();
  if (config.kind == EvaluatorKind::kAuto) return choose(weights, config, rules);
  return std::make_shared<NetworkSource>(named_maker(weights, config), config.cache_positions);
}

bool runs_here(EvaluatorKind kind) {
  const CpuKind* cpu = find_cpu_kind(kind);
  return cpu == nullptr || has_cpu_kernel(cpu->precision);
}

double difference_from_reference(const NetworkWeights& weights, Evaluator& evaluator,
                                 const env::RuleSet& rules) {
  const auto positions = checked_positions(rules);
  const auto found = evaluate(evaluator, rules, positions);
  const auto expected = evaluate(*eigen_maker(weights)(), rules, positions);
  double largest = 0;
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const auto legal = env::legal_moves(rules, positions[i].board);
    largest = std::max(largest, max_difference(with_probabilities(expected[i], legal),
                                               with_probabilities(found[i], legal)));
  }
  return largest;
}

}  // namespace awale::nn
