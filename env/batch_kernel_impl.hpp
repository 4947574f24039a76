// The vector code of a step of the batch kernels, written once for registers of 16, 32 or 64 bytes
// (vectors.hpp). Included by the batch_kernel_*.cpp only, each compiled for another instruction
// set.
#pragma once

#include <cstddef>
#include <cstdint>

#include "env/batch_kernel.hpp"
#include "env/random_moves_impl.hpp"
#include "env/vectors.hpp"

namespace awale::env {
namespace {

// Twelve pits of kWidth games, as in Board.
template <int kWidth>
struct Pits {
  typename Vectors<kWidth>::Bytes pit[kPits];
};

// What of the rules a step applies; less than all of them in benchmarks.
enum class Parts { kAll, kWithoutLegality, kWithoutCapture };

template <int kWidth>
class BlockKernel : Vectors<kWidth> {
  using typename Vectors<kWidth>::Bytes;
  using typename Vectors<kWidth>::Unsigned;
  using Vectors<kWidth>::any;
  using Vectors<kWidth>::byte;
  using Vectors<kWidth>::bytes;
  using Vectors<kWidth>::load;
  using Vectors<kWidth>::store;

 public:
  static bool moves_are_legal(const LegalMask* legal, const Move* moves, int blocks) {
    Bytes wrong = {};
    for (int i = 0; i < blocks * kBlockGames; i += kWidth) {
      const Bytes mask = load(legal + i);
      const Bytes move = load(moves + i);
      Bytes chosen = {};
      for (int pit = 0; pit < kMoves; ++pit)
        chosen |= (move == byte(pit)) & byte(1 << pit);
      wrong |= mask == 0 ? move != byte(kNoMove) : (mask & chosen) == 0;
    }
    return !any(wrong);
  }

  template <Parts kParts = Parts::kAll>
  static void step(const KernelStep& step) {
    // Two loops, so that rules without the restriction do not pay for it.
    if (step.rules->forbids_grand_slams != 0) {
      step_blocks<kParts, true>(step);
    } else {
      step_blocks<kParts, false>(step);
    }
  }

 private:
  // Modulo 256, which signed bytes do not promise.
  static Bytes wrapping_difference(Bytes left, Bytes right) {
    return (Bytes)((Unsigned)left - (Unsigned)right);
  }

  struct Sowing {
    Bytes laps;  // seeds that every pit but the origin gets
    Bytes last;  // the rest fall into the pits after the origin up to this one, counted on from the
                 // mover's first pit: 12 is that pit again
  };

  // Eleven seeds a lap, because the origin is skipped; of 1 to 48 seeds the rest is 1 to 11, so
  // that `last` is where the last seed falls. Nothing is sown for 0 seeds.
  static Sowing sowing(Bytes seeds, Bytes origin) {
    Bytes laps = {};
    Bytes rest = seeds;
    for (int lap = kPits - 1; lap < kSeeds; lap += kPits - 1) {
      const Bytes full = seeds > byte(lap);
      laps -= full;
      rest -= full & byte(kPits - 1);
    }
    return {laps, origin + rest};
  }

  struct Capture {
    Bytes taken[kPitsPerSide];  // mask: the opponent's pit is captured
    Bytes grand_slam;           // mask: and with them all his seeds
  };

  // Sows into the opponent's row and finds the pits that are captured, void or not.
  static Capture sow_opponent(const KernelRules& rules, const Sowing& sowing, Bytes* row) {
    Capture capture;
    Bytes chain = {};
    Bytes any_taken = {};
    Bytes left = {};
    for (int i = kPitsPerSide - 1; i >= 0; --i) {
      const std::int8_t pit = byte(i + kPitsPerSide);
      row[i] = row[i] + sowing.laps - (sowing.last >= pit);
      const Bytes above = row[i] - rules.lowest_capture;
      chain = ((sowing.last == pit) | chain) & ((above == 0) | (above == 1));
      capture.taken[i] = chain;
      any_taken |= chain;
      left |= row[i] & ~chain;
    }
    capture.grand_slam = any_taken & (left == 0);
    return capture;
  }

  static Bytes seeds_of(const Pits<kWidth>& pits, Bytes move) {
    Bytes seeds = {};
    for (int i = 0; i < kMoves; ++i)
      seeds |= (move == byte(i)) & pits.pit[i];
    return seeds;
  }

  static void sow_own(const Sowing& sowing, Bytes move, Bytes* row) {
    for (int i = 0; i < kPitsPerSide; ++i) {
      const Bytes behind = (move < byte(i)) & (sowing.last >= byte(i));
      const Bytes round = sowing.last >= byte(i + kPits);
      row[i] = (row[i] + sowing.laps - (behind | round)) & (move != byte(i));
    }
  }

  // Plays the moves and turns the pits; returns the seeds captured.
  template <Parts kParts>
  static Bytes play(const KernelRules& rules, Bytes move, Pits<kWidth>& pits) {
    const Sowing sowing = BlockKernel::sowing(seeds_of(pits, move), move);
    Pits<kWidth> turned;
    for (int i = 0; i < kPitsPerSide; ++i) {
      turned.pit[i] = pits.pit[i + kPitsPerSide];
      turned.pit[i + kPitsPerSide] = pits.pit[i];
    }
    sow_own(sowing, move, turned.pit + kPitsPerSide);
    const Capture capture = sow_opponent(rules, sowing, turned.pit);
    pits = turned;
    if (kParts == Parts::kWithoutCapture) return Bytes{};
    const Bytes takes = ~(capture.grand_slam & rules.voids_grand_slams);
    Bytes captured = {};
    for (int i = 0; i < kPitsPerSide; ++i) {
      const Bytes seeds = pits.pit[i] & capture.taken[i] & takes;
      captured += seeds;
      pits.pit[i] -= seeds;
    }
    return captured;
  }

  template <int kMove>
  static Bytes grand_slam_bit(const KernelRules& rules, const Pits<kWidth>& pits) {
    Bytes row[kPitsPerSide];
    for (int i = 0; i < kPitsPerSide; ++i)
      row[i] = pits.pit[i + kPitsPerSide];
    const Sowing sowing = BlockKernel::sowing(pits.pit[kMove], bytes(kMove));
    return sow_opponent(rules, sowing, row).grand_slam & byte(1 << kMove);
  }

  static Bytes without_grand_slams(const KernelRules& rules, const Pits<kWidth>& pits,
                                   Bytes legal) {
    const Bytes slams = grand_slam_bit<0>(rules, pits) | grand_slam_bit<1>(rules, pits) |
                        grand_slam_bit<2>(rules, pits) | grand_slam_bit<3>(rules, pits) |
                        grand_slam_bit<4>(rules, pits) | grand_slam_bit<5>(rules, pits);
    const Bytes kept = legal & ~slams;
    return ((kept == 0) & rules.only_slams_allowed) != 0 ? legal : kept;
  }

  template <bool kForbidsGrandSlams>
  static Bytes legal_moves(const KernelRules& rules, const Pits<kWidth>& pits) {
    Bytes legal = {};
    Bytes feeding = {};
    Bytes opponent = {};
    for (int i = 0; i < kPitsPerSide; ++i) {
      legal |= (pits.pit[i] > 0) & byte(1 << i);
      feeding |= (pits.pit[i] >= byte(kPitsPerSide - i)) & byte(1 << i);
      opponent |= pits.pit[i + kPitsPerSide];
    }
    const Bytes must_feed = (opponent == 0) & rules.must_feed & ~((feeding == 0) & rules.plays_on);
    legal = must_feed != 0 ? feeding : legal;
    return kForbidsGrandSlams ? without_grand_slams(rules, pits, legal) : legal;
  }

  // A counter of two bytes, plus one where `counting`, 0 where `cleared`.
  struct Counter {
    Bytes low;
    Bytes high;
  };
  static Counter count(const Row* rows, int first, Bytes counting, Bytes cleared) {
    const Bytes low = wrapping_difference(load(rows[0].game + first), counting);
    const Bytes carry = (low == 0) & counting;
    const Bytes high = wrapping_difference(load(rows[1].game + first), carry);
    return {low & ~cleared, high & ~cleared};
  }

  static void store_counter(const Counter& counter, int first, Row* rows) {
    store(rows[0].game + first, counter.low);
    store(rows[1].game + first, counter.high);
  }

  static Bytes row_digest(const Bytes* row) {
    auto value = (Unsigned)row[0];
    for (int i = 1; i < kPitsPerSide; ++i)
      value = value + value + value + (Unsigned)row[i];
    return (Bytes)value;
  }

  // Records the ply and returns a mask of the games whose digest has occurred since the last
  // capture. Only positions a whole number of cycles of kShortestCyclePlies or more ago, with the
  // same side to move, can be the same.
  static Bytes trace(const KernelStep& step, int block, int first, Bytes move,
                     const Pits<kWidth>& pits, const Counter& quiet, Bytes active) {
    TraceEntry* entries = step.trace + static_cast<std::size_t>(block) * step.trace_capacity;
    const unsigned wrap = step.trace_capacity - 1;
    const Bytes own = row_digest(pits.pit);
    const Bytes other = row_digest(pits.pit + kPitsPerSide);
    TraceEntry& now = entries[step.clock & wrap];
    store(now.digest[0].game + first, own);
    store(now.digest[1].game + first, other);
    store(now.move.game + first, move);

    const Bytes long_quiet = (quiet.high != 0) & active;
    const Bytes sign = bytes(-128);  // turns an unsigned comparison into a signed one
    const Bytes low = quiet.low ^ sign;
    Bytes suspect = {};
    for (unsigned back = kShortestCyclePlies;; back += 2) {
      const Bytes within_low =
          back < 256 ? (low >= (bytes(static_cast<int>(back)) ^ sign)) & active : Bytes{};
      const Bytes within = within_low | long_quiet;
      if (!any(within) || back >= step.trace_capacity) break;
      const TraceEntry& then = entries[(step.clock - back) & wrap];
      suspect |= within & (load(then.digest[0].game + first) == own) &
                 (load(then.digest[1].game + first) == other);
    }
    return suspect;
  }

  static void store_quiet_start(const Pits<kWidth>& pits, Bytes captured, int first, Row* rows) {
    for (int i = 0; i < kPits; ++i) {
      std::uint8_t* row = rows[i].game + first;
      store(row, captured != 0 ? pits.pit[i] : load(row));
    }
  }

  template <Parts kParts, bool kForbidsGrandSlams>
  static void step_games(const KernelStep& step, int block_index, int first) {
    const KernelRules& rules = *step.rules;
    Block& block = step.block[block_index];
    const int game = block_index * kBlockGames + first;
    const Bytes move = load(step.moves + game);
    const Bytes old_reason = load(block.reason.game + first);
    const Bytes active = old_reason == 0;

    Pits<kWidth> pits;
    for (int i = 0; i < kPits; ++i)
      pits.pit[i] = load(block.pits[i].game + first);
    const Bytes captured = play<kParts>(rules, move, pits);
    for (int i = 0; i < kPits; ++i) {
      std::uint8_t* row = block.pits[i].game + first;
      store(row, active != 0 ? pits.pit[i] : load(row));
    }

    const Bytes mover = load(block.store_to_move.game + first);
    const Bytes opponent = load(block.store_opponent.game + first);
    const Bytes mover_now = mover + captured;
    store(block.store_to_move.game + first, active != 0 ? opponent : mover);
    store(block.store_opponent.game + first, active != 0 ? mover_now : opponent);
    store(block.side.game + first, load(block.side.game + first) ^ (active & 1));

    const Counter ply = count(block.ply, first, active, Bytes{});
    const Counter quiet = count(block.quiet_plies, first, active, captured != 0);
    store_counter(ply, first, block.ply);
    store_counter(quiet, first, block.quiet_plies);
    store(block.repetitions.game + first, load(block.repetitions.game + first) & ~active);

    const Bytes legal = kParts == Parts::kWithoutLegality
                            ? bytes((1 << kMoves) - 1)
                            : legal_moves<kForbidsGrandSlams>(rules, pits);
    Bytes suspect = {};
    if (rules.counts_repetition != 0) {
      store_quiet_start(pits, captured, first, block.quiet_start);
      suspect = trace(step, block_index, first, move, pits, quiet, active);
    }

    const Bytes at_limit = (ply.low == rules.ply_limit[0]) & (ply.high == rules.ply_limit[1]);
    Bytes reason = at_limit & byte(static_cast<int>(EndReason::kPlyLimit));
    reason = legal == 0 ? bytes(static_cast<int>(EndReason::kNoMoves)) : reason;
    reason = mover_now >= rules.target_seeds ? bytes(static_cast<int>(EndReason::kTarget)) : reason;
    store(block.reason.game + first, old_reason | (reason & active));
    store(block.event.game + first, (reason | (suspect & byte(kSuspect))) & active);
    store(step.legal + game, legal & active & (reason == 0));
  }

  template <Parts kParts, bool kForbidsGrandSlams>
  static void step_blocks(const KernelStep& step) {
    for (int block = 0; block < step.blocks; ++block) {
      for (int first = 0; first < kBlockGames; first += kWidth)
        step_games<kParts, kForbidsGrandSlams>(step, block, first);
    }
  }
};

template <int kWidth>
constexpr Kernel make_kernel(const char* name) {
  using Blocks = BlockKernel<kWidth>;
  return {name,
          Blocks::moves_are_legal,
          Blocks::template step<Parts::kAll>,
          Blocks::template step<Parts::kWithoutLegality>,
          Blocks::template step<Parts::kWithoutCapture>,
          BlockRandomMoves<kWidth>::random_moves};
}

}  // namespace
}  // namespace awale::env
