// One float a move in one vector register: a node's six edges are scored at once instead of one by
// one. The vector types are GCC's and Clang's own, so the code is plain arithmetic on every machine
// and gives the same bits (no fused multiply-add here: see CMakeLists.txt).
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "env/board.hpp"

namespace awale::mcts {

// The last two lanes belong to no move and are 0 after load().
typedef float Lanes __attribute__((vector_size(32)));
typedef std::int32_t IntLanes __attribute__((vector_size(32)));

inline Lanes all_lanes(float value) {
  return Lanes{value, value, value, value, value, value, value, value};
}
inline Lanes max(Lanes a, Lanes b) {
  return a > b ? a : b;
}
// Where `condition` is above 0 the one, elsewhere the other.
inline Lanes where_positive(Lanes condition, Lanes then, Lanes otherwise) {
  return condition > 0.0F ? then : otherwise;
}

// Four and two values, as store() has written them: a wider read would have to wait until both are
// in the cache.
inline Lanes load(const std::array<float, env::kMoves>& values) {
  typedef float Four __attribute__((vector_size(16)));
  typedef double Pairs __attribute__((vector_size(16)));
  Four low;
  double pair;
  std::memcpy(&low, values.data(), 16);
  std::memcpy(&pair, values.data() + 4, 8);
  const Pairs high = {pair, 0};
  return __builtin_shufflevector(low, (Four)high, 0, 1, 2, 3, 4, 5, 6, 7);
}

inline void store(Lanes lanes, std::array<float, env::kMoves>& values) {
  std::memcpy(values.data(), &lanes, 16);
  std::memcpy(values.data() + 4, reinterpret_cast<const char*>(&lanes) + 16, 8);
}
inline std::array<float, env::kMoves> store(Lanes lanes) {
  std::array<float, env::kMoves> values;
  store(lanes, values);
  return values;
}

typedef std::uint16_t CountLanes __attribute__((vector_size(16)));

inline CountLanes load(const std::array<std::uint16_t, env::kMoves>& counts) {
  typedef std::uint64_t Words __attribute__((vector_size(16)));
  std::uint64_t low;
  std::uint32_t high;
  std::memcpy(&low, counts.data(), 8);
  std::memcpy(&high, counts.data() + 4, 4);
  const Words words = {low, high};
  CountLanes lanes;
  std::memcpy(&lanes, &words, 16);
  return lanes;
}
inline void store(CountLanes lanes, std::array<std::uint16_t, env::kMoves>& counts) {
  std::memcpy(counts.data(), &lanes, 8);
  std::memcpy(counts.data() + 4, reinterpret_cast<const char*>(&lanes) + 8, 4);
}

// By way of signed integers, which is one instruction.
inline Lanes to_floats(CountLanes counts) {
  return __builtin_convertvector(__builtin_convertvector(counts, IntLanes), Lanes);
}
inline Lanes load_counts(const std::array<std::uint16_t, env::kMoves>& counts) {
  return to_floats(load(counts));
}
inline Lanes load_counts(const std::array<std::uint8_t, env::kMoves>& counts) {
  std::array<std::uint16_t, env::kMoves> wide;
  for (std::size_t move = 0; move < counts.size(); ++move)
    wide[move] = counts[move];
  return load_counts(wide);
}

// Of all eight lanes, pair by pair: ((0+4) + (2+6)) + ((1+5) + (3+7)).
inline float sum(Lanes lanes) {
  const Lanes four = lanes + __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3);
  const Lanes two = four + __builtin_shufflevector(four, four, 2, 3, 0, 1, 6, 7, 4, 5);
  return two[0] + two[1];
}
inline float largest(Lanes lanes) {
  const Lanes four = max(lanes, __builtin_shufflevector(lanes, lanes, 4, 5, 6, 7, 0, 1, 2, 3));
  const Lanes two = max(four, __builtin_shufflevector(four, four, 2, 3, 0, 1, 6, 7, 4, 5));
  return two[0] > two[1] ? two[0] : two[1];
}

// `lanes` with `value` in the lane of `move`.
inline Lanes with_lane(Lanes lanes, env::Move move, float value) {
  constexpr IntLanes kMovesInOrder = {0, 1, 2, 3, 4, 5, 6, 7};
  return kMovesInOrder == std::int32_t{move} ? all_lanes(value) : lanes;
}

// `value` in the lane of `move`, 0 in the others.
inline Lanes one_lane(env::Move move, float value) {
  return with_lane(Lanes{}, move, value);
}

// `value` where the move is in `mask`, else `otherwise`.
inline Lanes where_in(env::LegalMask mask, Lanes value, Lanes otherwise) {
  constexpr IntLanes kBits = {1, 2, 4, 8, 16, 32, 64, 128};
  return ((IntLanes{} + std::int32_t{mask}) & kBits) != 0 ? value : otherwise;
}

// The number of the first lane that is not 0; one is.
inline env::Move first_lane(IntLanes lanes) {
#if defined(__AVX__)
  return static_cast<env::Move>(__builtin_ctz(__builtin_ia32_movmskps256((Lanes)lanes)));
#else
  env::Move move = 0;
  while (lanes[move] == 0)
    ++move;
  return move;
#endif
}

// The move of `mask` (not empty) with the largest value; of equal ones the lowest.
inline env::Move best_lane(Lanes values, env::LegalMask mask) {
  const Lanes chosen = where_in(mask, values, all_lanes(-__builtin_inff()));
  return first_lane(chosen == all_lanes(largest(chosen)));
}

// e^x within 2 units in the last place for x in [-87, 88], which is the nearest it takes x for:
// 2^n * e^r with n = round(x / ln 2), x - n * ln 2 in two steps so that r keeps its bits (Cody and
// Waite 1980), and the polynomial for e^r of Cephes' expf.
inline Lanes exponential(Lanes x) {
  x = x < -87.0F ? all_lanes(-87.0F) : x;
  x = x > 88.0F ? all_lanes(88.0F) : x;
  constexpr float kRound = 12582912.0F;  // 1.5 * 2^23: adding it leaves the nearest integer
  const Lanes rounded = x * 1.44269504F + kRound;
  const Lanes n = rounded - kRound;
  const Lanes r = (x - n * 0.693359375F) - n * -2.12194440e-4F;
  // In pairs (Estrin's scheme): half as long a chain as term by term.
  const Lanes square = r * r;
  const Lanes high = 1.9875691500e-4F * r + 1.3981999507e-3F;
  const Lanes middle = 8.3334519073e-3F * r + 4.1665795894e-2F;
  const Lanes low = 1.6666665459e-1F * r + 5.0000001201e-1F;
  const Lanes p = ((high * square + middle) * square + low) * square + r + 1.0F;
  const IntLanes exponent = (__builtin_convertvector(n, IntLanes) + 127) << 23;
  Lanes power;
  std::memcpy(&power, &exponent, sizeof(power));
  return p * power;
}

}  // namespace awale::mcts
