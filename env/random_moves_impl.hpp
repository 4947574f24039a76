// The vector code behind random_moves.hpp; part of the batch kernels like batch_kernel_impl.hpp.
#pragma once

#include <cstdint>

#include "env/batch_kernel.hpp"
#include "env/random.hpp"
#include "env/vectors.hpp"

namespace awale::env {
namespace {

template <int kWidth>
class BlockRandomMoves : Vectors<kWidth> {
  using typename Vectors<kWidth>::Bytes;
  using typename Vectors<kWidth>::Words;
  using Vectors<kWidth>::byte;
  using Vectors<kWidth>::bytes;
  using Vectors<kWidth>::load;
  using Vectors<kWidth>::multiply_halves;
  using Vectors<kWidth>::store;
  using Vectors<kWidth>::words;

 public:
  // Philox4x32-10 as in random.cpp, on the lower half of each 64-bit lane. What stands in the upper
  // halves is never read: products take the lower ones.
  static void random_moves(const LegalMask* legal, std::uint64_t seed, std::uint32_t step,
                           std::uint64_t first_game, Move* moves, int blocks) {
    std::uint64_t offsets[kWidth / 8];
    for (int i = 0; i < kWidth / 8; ++i)
      offsets[i] = static_cast<std::uint64_t>(8 * i);
    const Words offset = (Words)load(offsets);
    for (int i = 0; i < blocks * kBlockGames; i += kWidth) {
      // Word j of `mask` holds games 8j .. 8j+7, which share the blocks of random numbers 2j and
      // 2j+1, four words each.
      const Bytes mask = load(legal + i);
      const Words counts = (Words)count_bits(mask);
      Words ranks = {};
      for (int half = 0; half < 2; ++half) {
        Words random[4];
        philox((offset + (first_game + static_cast<unsigned>(i + 4 * half))) >> 2, seed, step,
               random);
        for (int word = 0; word < 4; ++word) {
          const int shift = 32 * half + 8 * word;
          ranks |= (multiply_halves(random[word], (counts >> shift) & 0xff) >> 32) << shift;
        }
      }
      store(moves + i, nth_bit(mask, (Bytes)ranks));
    }
  }

 private:
  static void philox(Words block, std::uint64_t seed, std::uint32_t step, Words* counter) {
    const Words multiplier0 = words(0xD2511F53);
    const Words multiplier1 = words(0xCD9E8D57);
    auto key0 = static_cast<std::uint32_t>(seed);
    auto key1 = static_cast<std::uint32_t>(seed >> 32);
    counter[0] = words(std::uint64_t{static_cast<std::uint32_t>(RandomPurpose::kRollout)} << 24);
    counter[1] = words(step);
    counter[2] = block;
    counter[3] = block >> 32;
    for (int round = 0; round < 10; ++round) {
      const Words product0 = multiply_halves(counter[0], multiplier0);
      const Words product1 = multiply_halves(counter[2], multiplier1);
      counter[0] = (product1 >> 32) ^ counter[1] ^ words(key0);
      counter[1] = product1;
      counter[2] = (product0 >> 32) ^ counter[3] ^ words(key1);
      counter[3] = product0;
      key0 += 0x9E3779B9;
      key1 += 0xBB67AE85;
    }
  }

  // How many of the six bits are set.
  static Bytes count_bits(Bytes mask) {
    Bytes bits = {};
    for (int i = 0; i < kMoves; ++i)
      bits -= (mask & byte(1 << i)) != 0;
    return bits;
  }

  // The number of the set bit of the given rank, kNoMove where no bit is set.
  static Bytes nth_bit(Bytes mask, Bytes rank) {
    Bytes found = bytes(kNoMove);
    for (int i = 0; i < kMoves; ++i) {
      const Bytes set = (mask & byte(1 << i)) != 0;
      found = (set & (rank == 0)) != 0 ? bytes(i) : found;
      rank += set;  // one less
    }
    return found;
  }
};

}  // namespace
}  // namespace awale::env
