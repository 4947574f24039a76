// Registers of 16, 32 or 64 bytes, as the vector types that GCC and Clang understand on every
// machine, for the code of the batch kernels. Everything is in an unnamed namespace and uses
// nothing of the standard library, so that no function compiled for one machine is linked into code
// for another.
//
// A comparison of vectors gives 0 or -1 a byte: a mask for `&`, and a count to subtract.
#pragma once

#include <cstdint>

#include "env/batch_kernel.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace awale::env {
namespace {

template <int kWidth>
struct Vectors {
  static_assert(kBlockGames % kWidth == 0);
  typedef std::int8_t Bytes __attribute__((vector_size(kWidth), aligned(1), may_alias));
  typedef std::uint8_t Unsigned __attribute__((vector_size(kWidth), aligned(1), may_alias));
  typedef std::uint64_t Words __attribute__((vector_size(kWidth), aligned(1), may_alias));

  static constexpr std::int8_t byte(int value) { return static_cast<std::int8_t>(value); }
  static Bytes load(const void* bytes) { return *static_cast<const Bytes*>(bytes); }
  static void store(void* bytes, Bytes value) { *static_cast<Bytes*>(bytes) = value; }
  static Bytes bytes(int value) { return Bytes{} + static_cast<std::int8_t>(value); }
  static Words words(std::uint64_t value) { return Words{} + value; }

  static bool any(Bytes mask) {
#if defined(__AVX512BW__)
    if constexpr (kWidth == 64) return _mm512_test_epi8_mask((__m512i)mask, (__m512i)mask) != 0;
#endif
#if defined(__AVX2__)
    if constexpr (kWidth == 32) return _mm256_movemask_epi8((__m256i)mask) != 0;
#endif
#if defined(__SSE2__)
    if constexpr (kWidth == 16) return _mm_movemask_epi8((__m128i)mask) != 0;
#endif
    std::uint64_t found = 0;
    std::uint64_t parts[kWidth / 8];
    store(parts, mask);
    for (const std::uint64_t part : parts)
      found |= part;
    return found != 0;
  }

  // The products of the low halves.
  static Words multiply_halves(Words left, Words right) {
#if defined(__AVX512BW__)
    // Not _mm512_mul_epu32, of which GCC 12 warns that it reads something uninitialized.
    if constexpr (kWidth == 64) {
      return (Words)_mm512_maskz_mul_epu32(0xff, (__m512i)left, (__m512i)right);
    }
#endif
#if defined(__AVX2__)
    if constexpr (kWidth == 32) return (Words)_mm256_mul_epu32((__m256i)left, (__m256i)right);
#endif
#if defined(__SSE2__)
    if constexpr (kWidth == 16) return (Words)_mm_mul_epu32((__m128i)left, (__m128i)right);
#endif
    return (left & 0xffffffff) * (right & 0xffffffff);
  }
};

}  // namespace
}  // namespace awale::env
