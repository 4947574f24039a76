#include "nn/eigen_evaluator.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <chrono>
#include <vector>

#include "env/error.hpp"
#include "nn/encoder.hpp"

namespace awale::nn {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using MatrixView = Eigen::Map<const RowMajor>;
using VectorView = Eigen::Map<const Eigen::VectorXf>;

MatrixView matrix(const NamedTensor& tensor) {
  return {tensor.values.data(), static_cast<Eigen::Index>(tensor.shape[0]),
          static_cast<Eigen::Index>(tensor.shape[1])};
}

VectorView vector(const NamedTensor& tensor) {
  return {tensor.values.data(), static_cast<Eigen::Index>(tensor.shape[0])};
}

void relu(Eigen::VectorXf& x) {
  for (float& value : x)
    value = std::max(value, 0.0F);
}

struct LinearView {
  LinearView(const NetworkWeights& weights, const std::string& name)
      : weight(matrix(weights.at(name + ".weight"))), bias(vector(weights.at(name + ".bias"))) {}

  MatrixView weight;
  VectorView bias;
};

std::span<const std::int32_t> row_of(const std::vector<std::int32_t>& indices, std::size_t row) {
  return std::span(indices).subspan(row * kActiveFeatures, kActiveFeatures);
}

// Everything below the heads, for one row at a time.
class EigenTrunk {
 public:
  explicit EigenTrunk(const NetworkWeights& weights) : input_(weights, "input") {
    for (int block = 0; block < weights.config.blocks; ++block) {
      const std::string name = "blocks." + std::to_string(block);
      layers_.emplace_back(weights, name + ".linear1");
      layers_.emplace_back(weights, name + ".linear2");
    }
  }

  const Eigen::VectorXf& run(std::span<const std::int32_t> active) {
    x_ = input_.bias;
    for (const std::int32_t feature : active)
      x_ += input_.weight.row(feature).transpose();
    relu(x_);
    for (std::size_t layer = 0; layer < layers_.size(); layer += 2) {
      const LinearView& linear1 = layers_[layer];
      const LinearView& linear2 = layers_[layer + 1];
      hidden_.noalias() = linear1.weight * x_;
      hidden_ += linear1.bias;
      relu(hidden_);
      x_.noalias() += linear2.weight * hidden_;
      x_ += linear2.bias;
      relu(x_);
    }
    return x_;
  }

 private:
  LinearView input_;                // weight [F, W]: one row a feature
  std::vector<LinearView> layers_;  // linear1 and linear2 of each block
  Eigen::VectorXf x_;
  Eigen::VectorXf hidden_;
};

class EigenEvaluator final : public Evaluator {
 public:
  explicit EigenEvaluator(std::shared_ptr<const NetworkWeights> weights)
      : weights_(std::move(weights)), trunk_(*weights_), heads_(*weights_, "heads") {}

  void evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                std::span<Evaluation> evaluations) override {
    AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
    const auto start = Clock::now();
    indices_.resize(positions.size() * kActiveFeatures);
    encode(rules, positions, indices_);
    const auto encoded = Clock::now();
    for (std::size_t i = 0; i < positions.size(); ++i) {
      output_.noalias() = heads_.weight * trunk_.run(row_of(indices_, i));
      output_ += heads_.bias;
      evaluations[i] =
          evaluation_of(std::span<const float, kHeadColumns>(output_.data(), kHeadColumns));
    }
    stats_.rows += positions.size();
    stats_.encoding_seconds += Seconds(encoded - start).count();
    stats_.network_seconds += Seconds(Clock::now() - encoded).count();
  }

  std::string name() const override {
    return "eigen " + std::to_string(weights_->config.blocks) + "x" +
           std::to_string(weights_->config.width);
  }

  EvaluatorStats stats() const override { return stats_; }

 private:
  std::shared_ptr<const NetworkWeights> weights_;
  EigenTrunk trunk_;
  LinearView heads_;
  std::vector<std::int32_t> indices_;
  Eigen::VectorXf output_;
  EvaluatorStats stats_;
};

}  // namespace

std::unique_ptr<Evaluator> make_eigen_evaluator(std::shared_ptr<const NetworkWeights> weights) {
  return std::make_unique<EigenEvaluator>(std::move(weights));
}

void evaluate_auxiliary(const NetworkWeights& weights, const env::RuleSet& rules,
                        std::span<const env::Position> positions,
                        std::span<AuxiliaryEvaluation> evaluations) {
  AWALE_CHECK(positions.size() == evaluations.size(), positions.size());
  std::vector<std::int32_t> indices(positions.size() * kActiveFeatures);
  encode(rules, positions, indices);
  EigenTrunk trunk(weights);
  const LinearView auxiliary(weights, "auxiliary");
  for (std::size_t i = 0; i < positions.size(); ++i) {
    const Eigen::VectorXf output =
        auxiliary.weight * trunk.run(row_of(indices, i)) + auxiliary.bias;
    evaluations[i] =
        auxiliary_of(std::span<const float, kAuxiliaryColumns>(output.data(), kAuxiliaryColumns));
  }
}

}  // namespace awale::nn
