// Memory for vector registers: 64-byte aligned, zeros at first.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <new>

namespace awale::nn {

template <typename Value>
class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t size)
      : values_(static_cast<Value*>(::operator new(size * sizeof(Value), kAlignment))),
        size_(size) {
    std::memset(values_.get(), 0, size * sizeof(Value));
  }

  Value* data() { return values_.get(); }
  const Value* data() const { return values_.get(); }
  std::size_t size() const { return size_; }
  Value& operator[](std::size_t i) { return values_.get()[i]; }

 private:
  static constexpr std::align_val_t kAlignment{64};

  struct Delete {
    void operator()(Value* values) const { ::operator delete(values, kAlignment); }
  };

  std::unique_ptr<Value, Delete> values_;
  std::size_t size_ = 0;
};

}  // namespace awale::nn
