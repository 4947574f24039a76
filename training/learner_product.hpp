// Products of matrices for the learner, by oneDNN: float32 or bfloat16 operands (AMX, AVX512-BF16,
// AVX-512, AVX2, whatever this machine has), sums in float32. Compiled once for its shape; running
// it allocates nothing. The same operands give the same bits.
#pragma once

#include <cstddef>
#include <memory>

namespace awale::training {

enum class Epilogue { kNone, kBias, kBiasRelu };  // what is done to a sum before it is stored

// result [rows, columns] = epilogue(left [rows, inner] * right [inner, columns] (+ result) (+
// bias))
struct ProductShape {
  int rows = 0;
  int columns = 0;
  int inner = 0;
  bool bfloat16 = false;         // the operands; otherwise float32
  bool left_transposed = false;  // left lies in memory as [inner, rows]
  bool right_transposed = false;
  bool float_result = true;  // float32, otherwise the operands' type
  bool accumulate = false;   // add to what `result` holds
  Epilogue epilogue = Epilogue::kNone;
};

class Product {
 public:
  explicit Product(const ProductShape& shape);
  Product(Product&&) noexcept;
  ~Product();

  std::size_t scratch_bytes() const;

  // All matrices row-major without gaps; bias [columns] where the epilogue has one.
  void run(const void* left, const void* right, void* result, const float* bias, void* scratch);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// From here on products that this thread runs or compiles use one thread, as bytes that do not
// depend on the machine's load need; other threads are as before.
void use_one_product_thread();

}  // namespace awale::training
