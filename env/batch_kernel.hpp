// The inner loop of BatchEnv: one ply in 64 games at a time, without branches, in vector registers.
//
// A Block holds 64 games side by side, one row of 64 bytes a field, so that a register holds the
// same pit of 16, 32 or 64 games and one instruction works on all of them. The same source
// (batch_kernel_impl.hpp) is compiled once for each instruction set; which of them run on this
// machine is asked at run time. All give the same bytes, and the same games as `board`.
//
// A kernel decides everything but repetition, of which it finds suspects only: positions whose
// digest has occurred since the last capture. None is missed; BatchEnv replays the few suspects and
// compares whole boards. Kernels are stateless and safe to call from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "env/board.hpp"

namespace awale::env {

inline constexpr int kBlockGames = 64;

// One byte a game. Counts of seeds are below 128 and so the same signed or unsigned.
struct alignas(64) Row {
  std::uint8_t game[kBlockGames];
};

// 64 games. Places beyond the last game of a batch hold games that have ended.
struct Block {
  Row pits[kPits];      // as in Board: 0..5 the mover's
  Row store_to_move;    // seeds
  Row store_opponent;   // seeds
  Row side;             // whose turn it is, as in Side
  Row reason;           // EndReason; not kNone: the game has ended and no step changes it
  Row repetitions;      // as in Position; a step sets 0
  Row ply[2];           // moves played, low and high byte
  Row quiet_plies[2];   // moves played since the last capture, low and high byte
  Row event;            // what the last step brought: an EndReason, kSuspect, both or 0
  Row quiet_start[12];  // the pits right after the last capture; only where repetition counts
};

// A flag in Block::event: the position may have occurred before.
inline constexpr std::uint8_t kSuspect = 0x80;

// What repetition needs to know of one past ply of the 64 games.
struct TraceEntry {
  Row digest[2];  // of the pits after the ply: of the mover's row, of the opponent's row
  Row move;       // the move that led there
};

// The digest of six pits, a polynomial in 3 modulo 256: what TraceEntry holds.
std::uint8_t digest(const std::uint8_t* pits);

// The rules as bytes: 0 or -1 for false and true, so that they serve as masks.
struct KernelRules {
  explicit KernelRules(const RuleSet& rules);

  std::int8_t lowest_capture;       // a pit of so many seeds, or of one more, is captured
  std::int8_t voids_grand_slams;    // mask: a grand slam takes nothing
  std::int8_t forbids_grand_slams;  // mask: grand slams are illegal ...
  std::int8_t only_slams_allowed;   // mask: ... unless nothing else is legal
  std::int8_t must_feed;            // mask
  std::int8_t plays_on;             // mask: who cannot feed may play anything
  std::int8_t target_seeds;         // 127: none
  std::int8_t ply_limit[2];       // low and high byte; 0: none, as no game is at ply 0 after a step
  std::int8_t counts_repetition;  // mask
};

// One ply in `blocks` blocks.
struct KernelStep {
  const KernelRules* rules;
  Block* block;             // [blocks]
  LegalMask* legal;         // [blocks][64], before and after the ply
  const Move* moves;        // [blocks][64], legal, kNoMove where a game has ended
  TraceEntry* trace;        // [blocks][trace_capacity], nullptr where repetition does not count
  unsigned trace_capacity;  // a power of 2, more than any game's quiet plies after this step
  unsigned clock;           // this step's entry is [clock % trace_capacity], the last one's before
  int blocks;
};

struct Kernel {
  const char* name;

  // Whether every move is legal, kNoMove exactly where the mask is 0. legal, moves: [blocks][64].
  bool (*moves_are_legal)(const LegalMask* legal, const Move* moves, int blocks);

  void (*step)(const KernelStep& step);

  // For benchmarks: the same without a part of the rules, to see what this part costs.
  void (*step_without_legality)(const KernelStep& step);  // every move is legal
  void (*step_without_capture)(const KernelStep& step);   // nothing is ever captured

  // See random_moves.hpp. legal, moves: [blocks][64]; `first_game` is a multiple of 64.
  void (*random_moves)(const LegalMask* legal, std::uint64_t seed, std::uint32_t step,
                       std::uint64_t first_game, Move* moves, int blocks);
};

// Every kernel that this machine can run, the fastest first; the last is plain C++.
std::span<const Kernel> kernels();

// The kernel called `name`; throws InputError(kUsage) that lists those of this machine.
const Kernel& kernel(std::string_view name);

}  // namespace awale::env
