#include "env/random_moves.hpp"

#include <algorithm>
#include <array>

#include "env/error.hpp"

namespace awale::env {

void random_moves(std::span<const LegalMask> legal, std::uint64_t seed, std::uint32_t step,
                  std::span<Move> moves, const Kernel& kernel) {
  AWALE_CHECK(legal.size() == moves.size(), legal.size() << " masks, " << moves.size() << " moves");
  const std::size_t blocks = legal.size() / kBlockGames;
  const std::size_t whole = blocks * kBlockGames;
  kernel.random_moves(legal.data(), seed, step, 0, moves.data(), static_cast<int>(blocks));
  const std::size_t rest = legal.size() - whole;
  if (rest == 0) return;
  std::array<LegalMask, kBlockGames> last_legal = {};
  std::array<Move, kBlockGames> last_moves;
  std::copy_n(legal.begin() + whole, rest, last_legal.begin());
  kernel.random_moves(last_legal.data(), seed, step, whole, last_moves.data(), 1);
  std::copy_n(last_moves.begin(), rest, moves.begin() + whole);
}

}  // namespace awale::env
