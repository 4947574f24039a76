// The random numbers of JAX up to version 0.4 (Threefry-2x32 of Salmon et al. 2011, "Parallel
// random numbers: as easy as 1, 2, 3", with counters in two halves), as far as the reference
// implementation's golden tree needs them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace awale::test {

using JaxKey = std::array<std::uint32_t, 2>;

std::array<std::uint32_t, 2> threefry2x32(JaxKey key, std::array<std::uint32_t, 2> counter);

std::vector<JaxKey> jax_split(JaxKey key, int count);
// Uniform in [low, high), and normal.
std::vector<float> jax_uniform(JaxKey key, int count, float low, float high);
std::vector<float> jax_normal(JaxKey key, int count);

}  // namespace awale::test
