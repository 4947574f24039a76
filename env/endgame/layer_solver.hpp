// Solves one layer of an endgame table, all boards with n seeds, from the layers below it.
//
// Retrograde analysis by levels (Thompson 1986, "Retrograde analysis of certain endgames"; for
// Awari Lincke 2002, "Exploring the computational limits of large exhaustive search problems", and
// Romein and Bal 2003, "Solving Awari with parallel retrograde analysis"). For k = n..1 the boards
// that guarantee k seeds to the player to move, or to his opponent, are found from those already
// known by moves backwards: the mover is certain of k once one move leads to a board that gives
// them to him, his opponent once all moves do, for which the moves not yet refuted are counted.
// Boards that are never reached circle.
//
// Every move is looked at once forwards and, if it captures nothing, twice at most backwards; the
// result does not depend on the order, so it is the same with any number of threads.
//
// Memory: 3 bytes a board of the layer, and 8 for each that waits to be looked at (peak_bytes()).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "env/endgame/guarantees.hpp"

namespace awale::env {

class LayerSolver {
 public:
  // Told of so many boards more that are done, from any thread; the sum is the size of the layer.
  // Half of them stand for the moves forwards, the others for the levels.
  using Report = std::function<void(std::uint64_t boards)>;

  // `threads` >= 1.
  LayerSolver(const RuleSet& rules, int threads);

  // Solves the layer of `seeds`, 0..kMaxEndgameSeeds. `lower` holds all boards with fewer seeds.
  // Throws InputError(kUsage) if it would need more than `memory_bytes` beside `lower`.
  void solve(int seeds, const GuaranteeArray& lower, std::size_t memory_bytes,
             const Report& report);

  // By index within the layer, until the next solve().
  std::span<const Guarantees> guarantees() const { return guarantees_; }

  // The most that solve() has held at a time, beside `lower`.
  std::size_t peak_bytes() const { return peak_bytes_; }

 private:
  // Boards that have become certain at this level and whose predecessors have not been told.
  struct Frontier {
    std::vector<PackedRows> wins;
    std::vector<PackedRows> losses;
    std::size_t size() const { return wins.size() + losses.size(); }
  };
  class Backwards;

  // Bytes in use while `pending` boards wait.
  std::size_t bytes(std::size_t pending) const;
  void look_forward(const GuaranteeArray& lower, const Report& report);
  void open_board(const Rows& rows, std::uint64_t place, const GuaranteeArray& lower);
  Frontier certain_at(int level);
  Frontier step_back(const Frontier& frontier, int level);

  RuleSet rules_;
  CycleScore cycles_;
  int threads_;

  int seeds_ = 0;
  std::uint64_t begin_ = 0;  // index of the layer's first board
  std::vector<Guarantees> guarantees_;
  // A board's moves within the layer that do not yet give his opponent what he is certain of else
  // (the lowest kCountBits), and that: the least that a move out of the layer leaves the opponent.
  std::vector<std::uint8_t> open_;
  std::size_t peak_bytes_ = 0;
};

}  // namespace awale::env
