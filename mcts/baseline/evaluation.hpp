// What a position at the horizon is worth to the player to move.
//
//   seeds  the difference of the stores, in seeds
//   tuned  a sum of terms, each with its weight, in hundredths of a seed
//
// The weights of `tuned` were fitted to the outcomes of games that the search played against
// itself, by `awale tune`: a term is worth what it adds to the logarithm of the odds of winning,
// with one seed in store as the unit. They are the same for all rules.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "mcts/baseline/rows.hpp"

namespace awale::mcts {

enum class MinimaxEvaluation : std::uint8_t { kSeeds, kTuned };

// "seeds", "tuned".
const char* to_string(MinimaxEvaluation evaluation);
// Throws InputError(kUsage) that lists the names.
MinimaxEvaluation parse_minimax_evaluation(const std::string& name);

// The terms of `tuned`, from the mover's view; of what both sides have, his minus the opponent's.
enum Term {
  kStoreSeeds,   // captured
  kRowSeeds,     // in the row
  kMobility,     // pits that hold seeds
  kOnes,         // pits with one seed
  kTwos,         // pits with two seeds
  kBigPits,      // pits with twelve seeds or more, which go round the board
  kBestCapture,  // seeds that the mover's best capture takes
  kBestThreat,   // seeds that the opponent could take if it were his turn
  kTurn,         // 1
  kTerms,
};

inline constexpr std::array<std::string_view, kTerms> kTermNames = {
    "store_seeds", "row_seeds",    "mobility",    "ones", "twos",
    "big_pits",    "best_capture", "best_threat", "turn"};

using Terms = std::array<int, kTerms>;

inline Terms terms_of(const CaptureRules& rules, const Rows& rows) {
  const auto pits = [](Row flags) { return std::popcount(flags); };
  const auto with = [&](Row row, int count) {
    return pits(pits_with(row, count)) - pits(pits_with(row, count + 1));
  };
  return {store_difference(rows),
          seeds_in(rows.own) - seeds_in(rows.other),
          pits(pits_with(rows.own, 1)) - pits(pits_with(rows.other, 1)),
          with(rows.own, 1) - with(rows.other, 1),
          with(rows.own, 2) - with(rows.other, 2),
          pits(pits_with(rows.own, 12)) - pits(pits_with(rows.other, 12)),
          largest(captures_of(rules, rows)),
          largest(captures_of(rules, {rows.other, rows.own})),
          1};
}

// Hundredths of a seed. `awale tune --games 20000 --depth 6 --seed 1` prints them.
inline constexpr Terms kTunedWeights = {100, -4, 82, -25, -17, 68, 59, -17, -20};

struct SeedsEvaluation {
  static constexpr int kUnit = 1;  // one seed
  static constexpr bool kStoresOnly = true;

  static int value(const CaptureRules&, const Rows& rows) { return store_difference(rows); }
};

struct TunedEvaluation {
  static constexpr int kUnit = 100;
  static constexpr bool kStoresOnly = false;

  static int value(const CaptureRules& rules, const Rows& rows) {
    const Terms terms = terms_of(rules, rows);
    int sum = 0;
    for (int term = 0; term < kTerms; ++term)
      sum += terms[term] * kTunedWeights[term];
    return sum;
  }
};

}  // namespace awale::mcts
