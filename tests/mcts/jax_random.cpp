#include "tests/mcts/jax_random.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace awale::test {
namespace {

// The counters 0..count-1: the first half of them in the first words, the rest in the second.
std::vector<std::uint32_t> random_words(JaxKey key, int count) {
  const int half = (count + 1) / 2;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(2 * half));
  for (int i = 0; i < half; ++i) {
    const int second = half + i < count ? half + i : 0;
    const auto pair =
        threefry2x32(key, {static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(second)});
    words[static_cast<std::size_t>(i)] = pair[0];
    words[static_cast<std::size_t>(half + i)] = pair[1];
  }
  words.resize(static_cast<std::size_t>(count));
  return words;
}

// By halving.
double inverse_erf(double y) {
  double low = -6;
  double high = 6;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (std::erf(middle) < y ? low : high) = middle;
  }
  return low;
}

}  // namespace

std::array<std::uint32_t, 2> threefry2x32(JaxKey key, std::array<std::uint32_t, 2> counter) {
  constexpr int kRotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  const std::uint32_t keys[3] = {key[0], key[1], key[0] ^ key[1] ^ 0x1BD11BDAU};
  auto [x, y] = counter;
  x += keys[0];
  y += keys[1];
  for (std::uint32_t group = 1; group <= 5; ++group) {
    for (const int rotation : kRotations[(group - 1) % 2]) {
      x += y;
      y = std::rotl(y, rotation) ^ x;
    }
    x += keys[group % 3];
    y += keys[(group + 1) % 3] + group;
  }
  return {x, y};
}

std::vector<JaxKey> jax_split(JaxKey key, int count) {
  const auto words = random_words(key, 2 * count);
  std::vector<JaxKey> keys;
  for (std::size_t i = 0; i < words.size(); i += 2)
    keys.push_back({words[i], words[i + 1]});
  return keys;
}

std::vector<float> jax_uniform(JaxKey key, int count, float low, float high) {
  std::vector<float> numbers;
  for (const std::uint32_t word : random_words(key, count)) {
    const float share = std::bit_cast<float>(word >> 9 | 0x3F800000U) - 1.0F;
    numbers.push_back(std::max(low, share * (high - low) + low));
  }
  return numbers;
}

std::vector<float> jax_normal(JaxKey key, int count) {
  auto numbers = jax_uniform(key, count, std::nextafter(-1.0F, 0.0F), 1.0F);
  for (float& number : numbers)
    number = static_cast<float>(std::sqrt(2.0) * inverse_erf(double{number}));
  return numbers;
}

}  // namespace awale::test
