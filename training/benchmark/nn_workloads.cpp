#include "training/benchmark/nn_workloads.hpp"

#include <algorithm>

#include "env/error.hpp"
#include "env/random.hpp"
#include "nn/cpu_evaluator.hpp"
#include "nn/cpu_scratch.hpp"
#include "nn/encoder_kernel.hpp"
#include "nn/network_evaluator.hpp"

namespace awale::training {
namespace {

constexpr const char* kEncodeIndices = "encode";
constexpr const char* kEncodeValues = "encode values ";

constexpr const char* kTorchProduct = "torch mm fp32";
constexpr const char* kBfloat16Product = "cpu-bf16 blocks";
constexpr const char* kInt8Product = "cpu-int8 blocks";

// So many positions that single ones do not repeat at once, and few enough that they stay in the
// cache.
constexpr std::size_t kPositions = 4096;

// Plies of random games, at least `count`.
std::vector<env::Position> random_positions(const env::RuleSet& rules, std::size_t count) {
  std::vector<env::Position> positions;
  for (std::uint64_t id = 0; positions.size() < count; ++id) {
    env::RandomStream stream(1, env::RandomPurpose::kRollout, id, 0);
    for (env::Game game(rules); !game.over(); game.play(env::random_move(game.legal(), stream)))
      positions.push_back(game.position());
  }
  return positions;
}

// Hands out batches of positions, one after the other.
class Positions {
 public:
  Positions(const env::RuleSet& rules, int batch)
      : batch_(static_cast<std::size_t>(batch)),
        positions_(random_positions(rules, std::max(kPositions, batch_))) {}

  std::size_t batch() const { return batch_; }
  std::span<const env::Position> next() {
    if (next_ + batch_ > positions_.size()) next_ = 0;
    const auto rows = std::span<const env::Position>(positions_).subspan(next_, batch_);
    next_ += batch_;
    return rows;
  }

 private:
  std::size_t batch_;
  std::vector<env::Position> positions_;
  std::size_t next_ = 0;
};

class Evaluation : public Workload {
 public:
  Evaluation(std::unique_ptr<nn::Evaluator> evaluator, const env::RuleSet& rules, int batch)
      : evaluator_(std::move(evaluator)),
        rules_(rules),
        positions_(rules, batch),
        evaluations_(positions_.batch()) {}

  long run() override {
    evaluator_->evaluate(rules_, positions_.next(), evaluations_);
    return static_cast<long>(evaluations_.size());
  }

 private:
  std::unique_ptr<nn::Evaluator> evaluator_;
  env::RuleSet rules_;
  Positions positions_;
  std::vector<nn::Evaluation> evaluations_;
};

class IndexEncoding : public Workload {
 public:
  IndexEncoding(const env::RuleSet& rules, int batch)
      : rules_(rules),
        positions_(rules, batch),
        indices_(positions_.batch() * nn::kActiveFeatures) {}

  long run() override {
    nn::encode(rules_, positions_.next(), indices_);
    return static_cast<long>(positions_.batch());
  }

 private:
  env::RuleSet rules_;
  Positions positions_;
  std::vector<std::int32_t> indices_;
};

class ValueEncoding : public Workload {
 public:
  ValueEncoding(const nn::EncoderKernel& kernel, const env::RuleSet& rules, int batch)
      : kernel_(kernel), rules_(rules), positions_(rules, batch), values_(positions_.batch()) {}

  long run() override {
    const auto rows = static_cast<long>(positions_.batch());
    kernel_.encode(rules_, positions_.next().data(), rows, values_.data());
    return rows;
  }

 private:
  nn::EncoderKernel kernel_;
  env::RuleSet rules_;
  Positions positions_;
  std::vector<nn::FeatureValues> values_;
};

// The CPU kernel of this name; nullptr: it is another evaluator's.
const nn::CpuKernel* find_kernel(const std::string& name) {
  for (const nn::CpuKernel& kernel : nn::cpu_kernels()) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

// What the evaluator of this precision takes.
const nn::CpuKernel* first_kernel(nn::CpuPrecision precision) {
  return &*std::ranges::find(nn::cpu_kernels(), precision, &nn::CpuKernel::precision);
}

// On zeros: how long a product takes does not depend on the numbers.
class Blocks : public Workload {
 public:
  Blocks(std::shared_ptr<const nn::CpuNetwork> network, int batch)
      : network_(std::move(network)),
        piece_(std::min(batch, network_->kernel().piece_rows)),
        batch_(batch),
        memory_(*network_, piece_) {}

  long run() override {
    for (int row = 0; row < batch_; row += piece_) {
      network_->kernel().compute_blocks(network_->packed(), std::min(piece_, batch_ - row),
                                        memory_.scratch());
    }
    return batch_;
  }

 private:
  std::shared_ptr<const nn::CpuNetwork> network_;
  int piece_;
  int batch_;
  nn::CpuScratchMemory memory_;
};

}  // namespace

std::vector<std::string> nn_contestants() {
  std::vector<std::string> names;
  for (const auto& [name, kind] : nn::evaluator_kinds()) {
    if (kind != nn::EvaluatorKind::kAuto && nn::runs_here(kind)) names.push_back(name);
  }
  for (const nn::CpuKernel& kernel : nn::cpu_kernels()) {
    if (&kernel != first_kernel(kernel.precision)) names.emplace_back(kernel.name);
  }
  return names;
}

std::vector<std::string> encoder_contestants() {
  std::vector<std::string> names = {kEncodeIndices};
  for (const nn::EncoderKernel& kernel : nn::encoder_kernels())
    names.push_back(std::string(kEncodeValues).append(kernel.name));
  return names;
}

std::unique_ptr<Workload> make_nn_workload(const std::string& name,
                                           const nn::NetworkWeights& weights,
                                           const env::RuleSet& rules, int batch) {
  if (const nn::CpuKernel* kernel = find_kernel(name)) {
    auto network = nn::make_cpu_network(weights, *kernel);
    return std::make_unique<Evaluation>(nn::make_cpu_evaluator(std::move(network)), rules, batch);
  }
  const auto source = nn::make_network_source(weights, {nn::parse_evaluator_kind(name)});
  return std::make_unique<Evaluation>(source->make(), rules, batch);
}

std::unique_ptr<Workload> make_encoder_workload(const std::string& name, const env::RuleSet& rules,
                                                int batch) {
  for (const nn::EncoderKernel& kernel : nn::encoder_kernels()) {
    if (name == std::string(kEncodeValues).append(kernel.name))
      return std::make_unique<ValueEncoding>(kernel, rules, batch);
  }
  return std::make_unique<IndexEncoding>(rules, batch);
}

std::string product_of(const std::string& name) {
  const nn::CpuKernel* kernel = find_kernel(name);
  const auto computes = [&](nn::CpuPrecision precision, nn::EvaluatorKind kind) {
    return kernel != nullptr ? kernel->precision == precision
                             : nn::parse_evaluator_kind(name) == kind;
  };
  if (computes(nn::CpuPrecision::kInt8, nn::EvaluatorKind::kCpuInt8)) return kInt8Product;
  if (computes(nn::CpuPrecision::kBfloat16, nn::EvaluatorKind::kCpuBf16)) return kBfloat16Product;
  return kTorchProduct;
}

std::unique_ptr<Workload> make_product_workload(const std::string& product,
                                                const nn::NetworkWeights& weights, int batch) {
  if (product == kTorchProduct) return make_torch_product(weights.config, batch);
  const auto precision =
      product == kInt8Product ? nn::CpuPrecision::kInt8 : nn::CpuPrecision::kBfloat16;
  return std::make_unique<Blocks>(nn::make_cpu_network(weights, precision), batch);
}

}  // namespace awale::training
