#include "training/learner_product.hpp"

#include <omp.h>

#include <dnnl.hpp>
#include <unordered_map>

namespace awale::training {
namespace {

using Memory = dnnl::memory;
using MemoryShape = Memory::desc;

const dnnl::engine& cpu() {
  static const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

MemoryShape matrix(int rows, int columns, Memory::data_type type, bool transposed) {
  const Memory::dims steps =
      transposed ? Memory::dims{1, rows} : Memory::dims{std::int64_t{columns}, 1};
  return {{rows, columns}, type, steps};
}

dnnl::primitive_attr attributes(const ProductShape& shape) {
  dnnl::post_ops operations;
  if (shape.accumulate) operations.append_sum(1.0F);
  if (shape.epilogue == Epilogue::kBiasRelu) {
#if DNNL_VERSION_MAJOR >= 3
    operations.append_eltwise(dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#else
    operations.append_eltwise(1.0F, dnnl::algorithm::eltwise_relu, 0.0F, 0.0F);
#endif
  }
  dnnl::primitive_attr result;
  result.set_post_ops(operations);
  result.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  result.set_fpmath_mode(dnnl::fpmath_mode::strict);  // whatever the environment asks for
  return result;
}

dnnl::matmul::primitive_desc describe(const ProductShape& shape) {
  const auto operand = shape.bfloat16 ? Memory::data_type::bf16 : Memory::data_type::f32;
  const auto result_type = shape.float_result ? Memory::data_type::f32 : operand;
  const auto left = matrix(shape.rows, shape.inner, operand, shape.left_transposed);
  const auto right = matrix(shape.inner, shape.columns, operand, shape.right_transposed);
  const auto result = matrix(shape.rows, shape.columns, result_type, false);
  const auto bias = shape.epilogue == Epilogue::kNone
                        ? MemoryShape()
                        : matrix(1, shape.columns, Memory::data_type::f32, false);
#if DNNL_VERSION_MAJOR >= 3
  return {cpu(), left, right, bias, result, attributes(shape)};
#else
  return {{left, right, bias, result}, attributes(shape), cpu()};
#endif
}

}  // namespace

struct Product::Impl {
  explicit Impl(const ProductShape& product_shape)
      : shape(product_shape),
        description(describe(shape)),
        product(description),
        stream(cpu()),
        left(description.src_desc(), cpu(), nullptr),
        right(description.weights_desc(), cpu(), nullptr),
        result(description.dst_desc(), cpu(), nullptr),
        scratch(description.scratchpad_desc(), cpu(), nullptr),
        arguments({{DNNL_ARG_SRC, left},
                   {DNNL_ARG_WEIGHTS, right},
                   {DNNL_ARG_DST, result},
                   {DNNL_ARG_SCRATCHPAD, scratch}}) {
    if (shape.epilogue == Epilogue::kNone) return;
    bias = Memory(matrix(1, shape.columns, Memory::data_type::f32, false), cpu(), nullptr);
    arguments.insert({DNNL_ARG_BIAS, bias});
  }

  ProductShape shape;
  dnnl::matmul::primitive_desc description;
  dnnl::matmul product;
  dnnl::stream stream;
  Memory left;
  Memory right;
  Memory result;
  Memory scratch;
  Memory bias;
  std::unordered_map<int, Memory> arguments;  // the same, by their meaning
};

Product::Product(const ProductShape& shape) : impl_(std::make_unique<Impl>(shape)) {}
Product::Product(Product&&) noexcept = default;
Product::~Product() = default;

std::size_t Product::scratch_bytes() const {
  return impl_->description.scratchpad_desc().get_size();
}

void Product::run(const void* left, const void* right, void* result, const float* bias,
                  void* scratch) {
  // oneDNN takes what it only reads through pointers to non-const, too.
  impl_->left.set_data_handle(const_cast<void*>(left));
  impl_->right.set_data_handle(const_cast<void*>(right));
  impl_->result.set_data_handle(result);
  impl_->scratch.set_data_handle(scratch);
  if (impl_->bias) impl_->bias.set_data_handle(const_cast<float*>(bias));
  impl_->product.execute(impl_->stream, impl_->arguments);
}

void use_one_product_thread() {
  omp_set_num_threads(1);
}

}  // namespace awale::training
