// Random play for many games at once: one legal move in each, uniformly.
//
// Game i at step s takes word i % 4 of the Philox block of RandomStream(seed, kRollout, i / 4, s)
// and of its m legal moves the one of rank floor(m * word / 2^32), so that a move depends only on
// (seed, i, s, mask); the probabilities are equal to within 2^-29. Whoever needs a stream of its
// own for each game uses random_move() of random.hpp.
#pragma once

#include <cstdint>
#include <span>

#include "env/batch_kernel.hpp"

namespace awale::env {

// legal, moves: [N]. kNoMove where a mask is 0.
void random_moves(std::span<const LegalMask> legal, std::uint64_t seed, std::uint32_t step,
                  std::span<Move> moves, const Kernel& kernel = kernels().front());

}  // namespace awale::env
