// A finished game as self-play records it and as shards store it: boards, never features, so that a
// new encoder reads old data. Immutable once written. Field meanings: training/README.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "env/game.hpp"

namespace awale::training {

// One ply: the position, what the search said, the move played. Everything seen from the player to
// move.
struct PlyRecord {
  env::Position position;
  env::LegalMask legal = 0;
  env::Move move = 0;
  std::uint8_t flags = 0;                              // PlyFlags
  std::array<std::uint32_t, env::kMoves> visits = {};  // root visits a move
  // What the network shall learn: each move's probability in units of 1/65535. All 0 where there is
  // nothing to learn (kUnsearchedPly, kFastSearch).
  std::array<std::uint16_t, env::kMoves> policy = {};
  // The network's probability of each move before the search and its noise, in the same units: at
  // least 1 where the move is legal. All 0 where it is not known (kUnsearchedPly, old files).
  std::array<std::uint16_t, env::kMoves> prior = {};
  // The search's mean utility of each move that has visits, in units of 1/kValueUnits; else 0.
  std::array<std::int16_t, env::kMoves> move_values = {};
  float root_value = 0;            // the search's win - loss, [-1,1]
  float root_margin_seeds = 0;     // the search's expected final margin
  float network_value = 0;         // the network's own win - loss at the root, [-1,1]
  float network_margin_seeds = 0;  // the network's own margin at the root
  std::uint16_t network_draw = 0;  // the network's own probability of a draw, as policy
};

// Bits of PlyRecord::flags.
enum PlyFlags : std::uint8_t {
  kUnsearchedPly = 1,  // a random opening move, or one of a game from elsewhere: no search, visits
                       // all 0, not a training row
  kSampledMove = 2,    // drawn from the visit counts (temperature), not the most visited
  kFastSearch = 4,     // few simulations, without noise: good for the value, not for the policy
  kTableValue = 8,     // root value and margin are an endgame table's, not the search's
  kSolvedPly = 16,     // the search has proved the final margin under best play
};

static_assert(sizeof(PlyRecord) == 128, "training/README.md names the size");

inline constexpr float kPolicyUnits = 65535;
inline constexpr float kValueUnits = 32767;

struct GameRecord {
  std::uint64_t game_id = 0;          // unique in the run; selects all random streams of the game
  std::uint32_t first_iteration = 0;  // iterations whose networks played the first and last ply
  std::uint32_t last_iteration = 0;
  std::uint16_t source_index = 0;  // which of a merged file's sources it comes from
  std::uint8_t rules_index = 0;    // which of the file's or run's rule sets it is played by
  env::Board start;
  env::Outcome outcome;
  // Whether it was stopped where an endgame table knew the end for certain. The outcome then has no
  // reason, and the margin that both get with best play.
  bool adjudicated = false;
  std::vector<PlyRecord> plies;  // T of them, in order
};

// By the rules or by a table.
inline bool ended(const GameRecord& game) {
  return game.adjudicated || game.outcome.reason != env::EndReason::kNone;
}

}  // namespace awale::training
