// The learner without LibTorch: forward and backward passes written out, products by oneDNN, the
// loops between them in learner_kernel_impl.hpp.
//
// A batch is computed in pieces whose activations stay in a core's second cache; gradients add up
// over the pieces. The residual stream, its gradient, sums, losses, weights and moments are
// float32; what products read is float32 or, as "elements", bfloat16.
#include <cmath>
#include <cstring>
#include <vector>

#include "env/error.hpp"
#include "nn/aligned_buffer.hpp"
#include "training/learner_backend.hpp"
#include "training/learner_batch.hpp"
#include "training/learner_kernel.hpp"
#include "training/learner_layout.hpp"
#include "training/learner_losses.hpp"
#include "training/learner_product.hpp"

namespace awale::training {
namespace {

// Measured at 2x128 and 2x256.
constexpr int kMostPieceRows = 256;

constexpr double kAdamEpsilon = 1e-8;  // LibTorch's

// The products of a piece; the gradient's are called by what they give.
struct Products {
  Products(int rows, const LearnerLayout& layout, int head_columns, bool bfloat16)
      : hidden(shape(rows, layout.width, layout.width, bfloat16, forward(Epilogue::kBiasRelu))),
        residual(
            shape(rows, layout.width, layout.width, bfloat16,
                  {.right_transposed = true, .accumulate = true, .epilogue = Epilogue::kBiasRelu})),
        heads(shape(rows, head_columns, layout.width, bfloat16,
                    {.right_transposed = true, .epilogue = Epilogue::kBias})),
        heads_weight(shape(head_columns, layout.width, rows, bfloat16, kWeight)),
        heads_input(shape(rows, layout.width, head_columns, bfloat16, {})),
        weight(shape(layout.width, layout.width, rows, bfloat16, kWeight)),
        hidden_gradient(shape(rows, layout.width, layout.width, bfloat16, {.float_result = false})),
        residual_gradient(shape(rows, layout.width, layout.width, bfloat16, {.accumulate = true})) {
  }

  std::size_t scratch_bytes() const {
    std::size_t most = 0;
    for (const Product* product : {&hidden, &residual, &heads, &heads_weight, &heads_input, &weight,
                                   &hidden_gradient, &residual_gradient})
      most = std::max(most, product->scratch_bytes());
    return most;
  }

  static constexpr ProductShape kWeight = {.left_transposed = true, .accumulate = true};

  static ProductShape forward(Epilogue epilogue) {
    return {.right_transposed = true, .float_result = false, .epilogue = epilogue};
  }

  static ProductShape shape(int rows, int columns, int inner, bool bfloat16, ProductShape rest) {
    rest.rows = rows;
    rest.columns = columns;
    rest.inner = inner;
    rest.bfloat16 = bfloat16;
    return rest;
  }

  Product hidden;             // relu(x W1' + b1), as elements
  Product residual;           // relu(x + h W2' + b2) in the place of x
  Product heads;              // x W' + b
  Product heads_weight;       // += g' x
  Product heads_input;        // g W
  Product weight;             // += g' x
  Product hidden_gradient;    // g W2, as elements
  Product residual_gradient;  // += g W1
};

class CpuLearner final : public LearnerBackend {
 public:
  CpuLearner(const LearnerConfig& config, const std::vector<env::RuleSet>& rules,
             const LearnerState& state, const LearnerKernel& kernel)
      : config_(config),
        kernel_(kernel),
        network_(state.weights.config),
        layout_(network_),
        head_columns_(learns_auxiliary(config, network_) ? layout_.head_columns : kAuxiliaryColumn),
        batch_(rules),
        steps_(state.steps),
        weights_(array_of(state.weights)),
        average_(array_of(state.averaged)),
        first_moment_(array_of(state.first_moment)),
        second_moment_(array_of(state.second_moment)),
        gradient_(layout_.size) {
    if (!kernel_.bfloat16) return;
    elements_ = nn::AlignedBuffer<std::byte>(dense_size() * element_bytes());
    average_elements_ = nn::AlignedBuffer<std::byte>(dense_size() * element_bytes());
    kernel_.to_elements(weights_.data() + layout_.dense(), dense_size(), elements_.data());
  }

  LossReport step(std::span<const TrainingRow* const> rows, double rate) override {
    fill(rows);
    std::memset(gradient_.data(), 0, layout_.size * sizeof(float));
    const Parameters parameters = parameters_of(weights_, elements_);
    LossReport report = compute(parameters, true);
    require_finite("the loss", weighted_loss(config_, report));
    report.gradient_norm = std::sqrt(kernel_.sum_of_squares(gradient_.data(), layout_.size));
    require_finite("the gradient", report.gradient_norm);
    ++steps_;
    update(report.gradient_norm, rate);
    return report;
  }

  LossReport evaluate(std::span<const TrainingRow* const> rows) override {
    fill(rows);
    if (kernel_.bfloat16) {
      kernel_.to_elements(average_.data() + layout_.dense(), dense_size(),
                          average_elements_.data());
    }
    return compute(parameters_of(average_, average_elements_), false);
  }

  LearnerState state() const override {
    return {steps_, weights_of(weights_), averaged(), weights_of(first_moment_),
            weights_of(second_moment_)};
  }

  nn::NetworkWeights averaged() const override { return weights_of(average_); }
  std::uint64_t steps() const override { return steps_; }

 private:
  using Array = nn::AlignedBuffer<float>;

  // Weights as floats, [layout.size], and those of the dense layers as elements.
  struct Parameters {
    const float* values;
    const std::byte* elements;
  };

  std::size_t element_bytes() const { return kernel_.bfloat16 ? 2 : sizeof(float); }
  std::size_t dense_size() const { return layout_.size - layout_.dense(); }

  Array array_of(const nn::NetworkWeights& weights) const {
    Array array(layout_.size);
    copy_to_array(weights, layout_, array.data());
    return array;
  }

  nn::NetworkWeights weights_of(const Array& array) const {
    nn::NetworkWeights weights{network_, nn::kEncoderVersion, nn::tensor_shapes(network_)};
    copy_from_array(array.data(), layout_, weights);
    return weights;
  }

  Parameters parameters_of(const Array& values,
                           const nn::AlignedBuffer<std::byte>& elements) const {
    if (kernel_.bfloat16) return {values.data(), elements.data()};
    return {values.data(), reinterpret_cast<const std::byte*>(values.data() + layout_.dense())};
  }

  const void* elements_at(const Parameters& parameters, std::size_t index) const {
    return parameters.elements + (index - layout_.dense()) * element_bytes();
  }

  // Elements between the layers: the first layer's output, then each linear layer's.
  std::byte* activations(std::size_t layer) {
    return activations_.data() + layer * piece_size() * element_bytes();
  }
  std::size_t piece_size() const {
    return static_cast<std::size_t>(rows_) * static_cast<std::size_t>(layout_.width);
  }

  void fill(std::span<const TrainingRow* const> rows) {
    use_one_product_thread();
    batch_.fill(rows, kMostPieceRows);
    if (batch_.piece_rows() != rows_) reserve(batch_.piece_rows());
  }

  void reserve(int rows) {
    rows_ = rows;
    products_ = std::make_unique<Products>(rows, layout_, head_columns_, kernel_.bfloat16);
    scratch_ = nn::AlignedBuffer<std::byte>(products_->scratch_bytes());
    const std::size_t layers = layout_.layers.size() + 1;
    activations_ = nn::AlignedBuffer<std::byte>(layers * piece_size() * element_bytes());
    stream_ = Array(piece_size());
    masked_ = nn::AlignedBuffer<std::byte>(piece_size() * element_bytes());
    hidden_ = nn::AlignedBuffer<std::byte>(piece_size() * element_bytes());
    const auto heads = static_cast<std::size_t>(rows) * static_cast<std::size_t>(head_columns_);
    heads_ = Array(heads);
    head_elements_ = nn::AlignedBuffer<std::byte>(heads * element_bytes());
  }

  // The mean losses of the batch; adds their gradient to gradient_ if wanted.
  LossReport compute(const Parameters& parameters, bool with_gradient) {
    const LossDivisors divisors(batch_.rows());
    LossReport report;
    report.policy_target_entropy = policy_target_entropy(batch_.rows(), divisors);
    for (int piece = 0; piece < batch_.pieces(); ++piece) {
      const FeatureRows features = batch_.features(piece);
      forward(parameters, features);
      const auto rows = batch_.rows(piece);
      add_losses(rows, config_, divisors, kernel_, head_columns_, heads_.data(), report);
      if (!with_gradient) continue;
      const std::size_t used = rows.size() * static_cast<std::size_t>(head_columns_);
      std::fill(heads_.data() + used, heads_.data() + heads_.size(), 0.0F);
      backward(parameters, features);
    }
    return report;
  }

  void forward(const Parameters& parameters, const FeatureRows& features) {
    const float* values = parameters.values;
    const bool copied = kernel_.bfloat16;  // the stream, as elements
    float* stream = copied ? stream_.data() : reinterpret_cast<float*>(activations(0));
    kernel_.sum_features(features, values + layout_.input.weight, values + layout_.input.bias,
                         layout_.width, stream, activations(0));
    for (std::size_t layer = 0; layer < layout_.layers.size(); layer += 2) {
      const LinearPlace& first = layout_.layers[layer];
      const LinearPlace& second = layout_.layers[layer + 1];
      products_->hidden.run(activations(layer), elements_at(parameters, first.weight),
                            activations(layer + 1), values + first.bias, scratch_.data());
      if (!copied) {
        stream = reinterpret_cast<float*>(activations(layer + 2));
        std::memcpy(stream, activations(layer), piece_size() * sizeof(float));
      }
      products_->residual.run(activations(layer + 1), elements_at(parameters, second.weight),
                              stream, values + second.bias, scratch_.data());
      if (copied) kernel_.to_elements(stream, piece_size(), activations(layer + 2));
    }
    products_->heads.run(activations(layout_.layers.size()),
                         elements_at(parameters, layout_.heads.weight), heads_.data(),
                         values + layout_.heads.bias, scratch_.data());
  }

  // From the gradient of the heads' outputs, in heads_. The stream's own is no longer needed.
  void backward(const Parameters& parameters, const FeatureRows& features) {
    float* gradient = gradient_.data();
    float* stream = stream_.data();
    backward_heads(parameters);
    for (std::size_t layer = layout_.layers.size(); layer > 0; layer -= 2) {
      const LinearPlace& first = layout_.layers[layer - 2];
      const LinearPlace& second = layout_.layers[layer - 1];
      void* masked = kernel_.bfloat16 ? static_cast<void*>(masked_.data()) : stream;
      kernel_.mask_stream(stream, activations(layer), rows_, layout_.width, masked,
                          gradient + second.bias);
      products_->weight.run(masked, activations(layer - 1), gradient + second.weight, nullptr,
                            scratch_.data());
      products_->hidden_gradient.run(masked, elements_at(parameters, second.weight), hidden_.data(),
                                     nullptr, scratch_.data());
      kernel_.mask_elements(hidden_.data(), activations(layer - 1), rows_, layout_.width,
                            gradient + first.bias);
      products_->weight.run(hidden_.data(), activations(layer - 2), gradient + first.weight,
                            nullptr, scratch_.data());
      products_->residual_gradient.run(hidden_.data(), elements_at(parameters, first.weight),
                                       stream, nullptr, scratch_.data());
    }
    kernel_.add_feature_gradients(features, stream, activations(0), layout_.width,
                                  gradient + layout_.input.weight, gradient + layout_.input.bias);
  }

  void backward_heads(const Parameters& parameters) {
    kernel_.add_columns(heads_.data(), rows_, head_columns_, gradient_.data() + layout_.heads.bias);
    kernel_.to_elements(heads_.data(), heads_.size(), head_elements_.data());
    products_->heads_weight.run(head_elements_.data(), activations(layout_.layers.size()),
                                gradient_.data() + layout_.heads.weight, nullptr, scratch_.data());
    products_->heads_input.run(head_elements_.data(), elements_at(parameters, layout_.heads.weight),
                               stream_.data(), nullptr, scratch_.data());
  }

  // Clips, steps, averages, in one pass over the arrays.
  void update(double gradient_norm, double rate) {
    const auto count = static_cast<double>(steps_);
    AdamW step;
    step.gradient_scale =
        static_cast<float>(std::min(1.0, config_.gradient_clip / (gradient_norm + 1e-6)));
    step.beta1 = static_cast<float>(config_.beta1);
    step.beta2 = static_cast<float>(config_.beta2);
    step.keep = static_cast<float>(1 - rate * config_.weight_decay);
    step.step_size = static_cast<float>(rate / (1 - std::pow(config_.beta1, count)));
    step.second_moment_root = static_cast<float>(1 / std::sqrt(1 - std::pow(config_.beta2, count)));
    step.epsilon = static_cast<float>(kAdamEpsilon);
    step.average_share = static_cast<float>(1 - average_decay(config_, steps_));
    update(step, 0, layout_.dense(), nullptr);
    update(step, layout_.dense(), layout_.size, kernel_.bfloat16 ? elements_.data() : nullptr);
  }

  void update(const AdamW& step, std::size_t begin, std::size_t end, void* elements) {
    kernel_.adamw(step, end - begin, gradient_.data() + begin, weights_.data() + begin,
                  first_moment_.data() + begin, second_moment_.data() + begin,
                  average_.data() + begin, elements);
  }

  LearnerConfig config_;
  const LearnerKernel& kernel_;
  nn::NetworkConfig network_;
  LearnerLayout layout_;
  int head_columns_;  // of the heads that are computed
  LearnerBatch batch_;
  std::uint64_t steps_;

  Array weights_;
  Array average_;
  Array first_moment_;
  Array second_moment_;
  Array gradient_;
  nn::AlignedBuffer<std::byte> elements_;  // of the dense weights; none where elements are floats
  nn::AlignedBuffer<std::byte> average_elements_;

  int rows_ = 0;  // of a piece; what follows is for so many
  std::unique_ptr<Products> products_;
  nn::AlignedBuffer<std::byte> scratch_;
  nn::AlignedBuffer<std::byte> activations_;
  Array stream_;  // bfloat16: the residual stream; then its gradient
  nn::AlignedBuffer<std::byte> masked_;
  nn::AlignedBuffer<std::byte> hidden_;  // the gradient of a hidden layer
  Array heads_;                          // outputs, then their gradient
  nn::AlignedBuffer<std::byte> head_elements_;
};

}  // namespace

std::unique_ptr<LearnerBackend> make_cpu_learner(const LearnerConfig& config,
                                                 const std::vector<env::RuleSet>& rules,
                                                 const LearnerState& state, bool bfloat16) {
  const LearnerKernel* kernel = find_learner_kernel(bfloat16);
  AWALE_CHECK(kernel != nullptr, "no learner with bfloat16 on this machine");
  return std::make_unique<CpuLearner>(config, rules, state, *kernel);
}

}  // namespace awale::training
