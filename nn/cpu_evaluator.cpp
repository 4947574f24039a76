#include "nn/cpu_evaluator.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "env/error.hpp"
#include "nn/cpu_scratch.hpp"
#if defined(AWALE_X86_KERNELS)
#include "nn/cpu_tiles.hpp"
#endif

namespace awale::nn {

#if defined(AWALE_X86_KERNELS)
extern const CpuKernel kAmxCpuKernel;
extern const CpuKernel kInt8CpuKernel;
extern const CpuKernel kBfloat16CpuKernel;
extern const CpuKernel kAvx512CpuKernel;
extern const CpuKernel kAvx2CpuKernel;
#endif

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

static_assert(sizeof(Evaluation) == kHeadColumns * sizeof(float), "a row of the heads");

std::vector<CpuKernel> find_cpu_kernels() {
  std::vector<CpuKernel> found;
#if defined(AWALE_X86_KERNELS)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
  const bool bfloat16 = avx512 && __builtin_cpu_supports("avx512bf16");
  if (bfloat16 && may_use_tiles()) found.push_back(kAmxCpuKernel);
  if (avx512 && __builtin_cpu_supports("avx512vnni")) found.push_back(kInt8CpuKernel);
  if (bfloat16) found.push_back(kBfloat16CpuKernel);
  if (avx512) found.push_back(kAvx512CpuKernel);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    found.push_back(kAvx2CpuKernel);
#endif
  return found;
}

std::string to_string(CpuPrecision precision) {
  switch (precision) {
    case CpuPrecision::kFloat32:
      return "fp32";
    case CpuPrecision::kBfloat16:
      return "bf16";
    case CpuPrecision::kInt8:
      return "int8";
  }
  AWALE_CHECK(false, "precision " << static_cast<int>(precision));
}

const CpuKernel* find_kernel(CpuPrecision precision) {
  const auto all = cpu_kernels();
  const auto found = std::find_if(all.begin(), all.end(), [precision](const CpuKernel& kernel) {
    return kernel.precision == precision;
  });
  return found == all.end() ? nullptr : &*found;
}

class CpuEvaluator final : public Evaluator {
 public:
  explicit CpuEvaluator(std::shared_ptr<const CpuNetwork> network)
      : network_(std::move(network)),
        base_(static_cast<std::size_t>(network_->columns()) * network_->table_bytes()) {}

  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override {
    AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
    if (positions.empty()) return;
    const auto start = Clock::now();
    reserve(positions.size());
    use_rules(rules);
    encode_values(rules, positions, {features_.data(), positions.size()});
    const auto encoded = Clock::now();
    for (std::size_t first = 0; first < positions.size();) {
      const int rows = piece_rows(positions.size() - first);
      network_->kernel().evaluate(network_->packed(), base_.data(), features_.data() + first, rows,
                                  scratch_.scratch(), evaluations[first].policy_logits.data());
      first += static_cast<std::size_t>(rows);
    }
    stats_.rows += positions.size();
    stats_.encoding_seconds += Seconds(encoded - start).count();
    stats_.network_seconds += Seconds(Clock::now() - encoded).count();
  }

  std::string name() const override {
    const NetworkConfig& config = network_->config();
    return "cpu-" + to_string(network_->kernel().precision) + " " + std::to_string(config.blocks) +
           "x" + std::to_string(config.width);
  }

  EvaluatorStats stats() const override { return stats_; }

 private:
  int piece_rows(std::size_t rows) const {
    const int most = network_->kernel().piece_rows;
    return rows < static_cast<std::size_t>(most) ? static_cast<int>(rows) : most;
  }

  void reserve(std::size_t rows) {
    if (features_.size() < rows) features_ = AlignedBuffer<FeatureValues>(rows);
    const int piece = piece_rows(rows);
    if (scratch_.rows() < piece) scratch_ = CpuScratchMemory(*network_, piece);
  }

  void use_rules(const env::RuleSet& rules) {
    const RuleIndices indices = rule_indices(rules);
    if (indices == rules_) return;
    rules_ = indices;
    network_->fill_base(rules_, base_.data());
  }

  std::shared_ptr<const CpuNetwork> network_;
  RuleIndices rules_ = {};         // those of base_; zeros: none yet
  AlignedBuffer<std::byte> base_;  // see CpuNetwork::fill_base()
  AlignedBuffer<FeatureValues> features_;
  CpuScratchMemory scratch_;
  EvaluatorStats stats_;
};

}  // namespace

std::span<const CpuKernel> cpu_kernels() {
  static const std::vector<CpuKernel> found = find_cpu_kernels();
  return found;
}

bool has_cpu_kernel(CpuPrecision precision) {
  return find_kernel(precision) != nullptr;
}

std::shared_ptr<const CpuNetwork> make_cpu_network(const NetworkWeights& weights,
                                                   const CpuKernel& kernel) {
  return std::make_shared<const CpuNetwork>(weights, kernel);
}

std::shared_ptr<const CpuNetwork> make_cpu_network(const NetworkWeights& weights,
                                                   CpuPrecision precision) {
  const CpuKernel* kernel = find_kernel(precision);
  AWALE_CHECK(kernel != nullptr, "no kernel of this precision on this machine");
  return make_cpu_network(weights, *kernel);
}

std::unique_ptr<Evaluator> make_cpu_evaluator(std::shared_ptr<const CpuNetwork> network) {
  return std::make_unique<CpuEvaluator>(std::move(network));
}

}  // namespace awale::nn
