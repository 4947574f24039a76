#include "env/random.hpp"

#include <bit>

namespace awale::env {

std::array<std::uint32_t, 4> philox4x32_10(std::array<std::uint32_t, 4> counter,
                                           std::array<std::uint32_t, 2> key) {
  constexpr std::uint64_t kMultiplier0 = 0xD2511F53;
  constexpr std::uint64_t kMultiplier1 = 0xCD9E8D57;
  constexpr std::uint32_t kWeyl0 = 0x9E3779B9;
  constexpr std::uint32_t kWeyl1 = 0xBB67AE85;
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = kMultiplier0 * counter[0];
    const std::uint64_t product1 = kMultiplier1 * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0],
               static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1],
               static_cast<std::uint32_t>(product0)};
    key[0] += kWeyl0;
    key[1] += kWeyl1;
  }
  return counter;
}

void RandomStream::fill() {
  const auto block = philox4x32_10(counter_, key_);
  numbers_ = {block[0] | static_cast<std::uint64_t>(block[1]) << 32,
              block[2] | static_cast<std::uint64_t>(block[3]) << 32};
}

Move random_move(LegalMask moves, RandomStream& stream) {
  std::uint32_t skip = stream.below(static_cast<std::uint32_t>(std::popcount(moves)));
  // Clears the lowest move so many times.
  for (; skip > 0; --skip)
    moves = static_cast<LegalMask>(moves & (moves - 1));
  return static_cast<Move>(std::countr_zero(moves));
}

}  // namespace awale::env
