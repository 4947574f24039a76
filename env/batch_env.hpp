// N games of one rule set, stepped together: the environment that self-play and outside trainers
// use.
//
// Games are numbered 0..N-1. A game that has ended stays as it is until it is reset: its legal mask
// is 0 and step() takes only kNoMove for it. Nothing restarts by itself, so the final position can
// always be read. A call that throws has changed nothing. One thread at a time per BatchEnv;
// different objects are independent.
//
// The games lie in blocks of 64 that a kernel steps at once (batch_kernel.hpp); what this class
// hands out is gathered from there. Where the rules count repetitions, each game also keeps its
// pits at the last capture and the moves since, from which its history is replayed when asked for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "env/batch_kernel.hpp"
#include "env/game.hpp"

namespace awale::env {

// Aligned, so that two objects of two threads never share a cache line.
class alignas(64) BatchEnv {
 public:
  // All games at the start position. games >= 0. Any kernel gives the same games.
  BatchEnv(const RuleSet& rules, int games, const Kernel& kernel = kernels().front());

  const RuleSet& rules() const { return rules_; }
  int size() const { return size_; }

  // Every game back to the start position.
  void reset();
  // Only `games`, to the start position or to `starts` (same length). Throws InputError(kPosition)
  // naming the game when an index is out of range or listed twice.
  void reset(std::span<const int> games);
  void reset(std::span<const int> games, std::span<const Board> starts);

  // Game number `game` becomes a copy of `state`, its history included: how an interrupted batch
  // goes on. Throws InputError(kPosition) when the index is out of range or the rules differ.
  void load(int game, const Game& state);

  // One ply in every game. `moves` [N]: a legal move, kNoMove exactly where a game has ended.
  // Throws InputError(kPosition) naming the first offending game.
  void step(std::span<const Move> moves);

  // [N], bit i of a mask: move i is legal. 0 where the game has ended.
  std::span<const LegalMask> legal_masks() const {
    return {legal_.data(), static_cast<std::size_t>(size_)};
  }

  // Games that the last step() ended, in increasing order; empty after reset().
  std::span<const int> finished() const { return finished_; }

  // These throw std::out_of_range for an index that is none.
  bool over(int game) const;
  // Only when over.
  Outcome outcome(int game) const;
  Position position(int game) const;
  // As Game::history(); of a game that has ended only the final position. Cost: replays the plies
  // since the last capture.
  std::vector<Board> history(int game) const;
  // The same into a vector that can be used again.
  void copy_history(int game, std::vector<Board>& boards) const;

 private:
  bool counts_repetition() const { return rules_.repetition_occurrence > 0; }
  int block_count() const { return static_cast<int>(blocks_.size()); }
  TraceEntry& trace_entry(int block, unsigned clock) {
    return trace_[block * trace_capacity_ + clock % trace_capacity_];
  }
  const TraceEntry& trace_entry(int block, unsigned clock) const {
    return trace_[block * trace_capacity_ + clock % trace_capacity_];
  }
  void check_index(int game) const;
  void check_indices(std::span<const int> games) const;
  void check_moves(std::span<const Move> moves);
  void write(int game, const Game& state);
  void write_trace(int game, std::span<const Board> history);
  void make_room_in_trace();
  void grow_trace();
  void step_blocks(int first, int count, const Move* moves);
  void collect_events();
  void take_event(int game, std::uint8_t event);
  bool judge_repetition(int game, EndReason reason);

  RuleSet rules_;
  KernelRules kernel_rules_;
  const Kernel* kernel_;
  int size_ = 0;
  Game start_;
  std::vector<Block> blocks_;
  std::vector<LegalMask> legal_;  // [blocks][64]
  Row last_moves_ = {};           // the moves of the last block, padded with kNoMove
  std::vector<TraceEntry>
      trace_;  // [blocks][trace_capacity_], empty where repetition is not counted
  unsigned trace_capacity_ = 0;
  unsigned clock_ = 0;          // steps so far
  unsigned longest_quiet_ = 0;  // no game has more quiet plies
  std::vector<int> finished_;
  std::vector<Board> suspect_history_;  // scratch of judge_repetition()
};

}  // namespace awale::env
