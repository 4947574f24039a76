// The bytes of a fuzzing input as small numbers. After the last byte every number is the least one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace awale::fuzz {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  bool at_end() const { return bytes_.empty(); }

  std::uint8_t byte() {
    if (at_end()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }

  // least..most, by one byte: at most 256 values.
  int number(int least, int most) { return least + byte() % (most - least + 1); }

  template <typename Enum>
  Enum choice(int count) {
    return static_cast<Enum>(number(0, count - 1));
  }

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace awale::fuzz
