// The scalar board: 16 bytes, seen from the player to move, and the one reference for what a move
// does. `batch_env` must agree with it bit for bit.
//
// The mover's pits come first, so that move, policy index and pit index are one number and no code
// asks whose turn it is; `notation` turns a board into the fixed South/North orientation. History
// (repetition, ply limit) belongs to `game`. All functions are pure and safe to call from any
// thread.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <iosfwd>
#include <optional>

#include "env/rules.hpp"

namespace awale::env {

inline constexpr int kPitsPerSide = 6;
inline constexpr int kPits = 12;
inline constexpr int kMoves = 6;  // A in shape comments: pits of the mover = policy indices
inline constexpr int kSeeds = 48;

// A position cannot come back without a capture in fewer plies. Between two occurrences no pit has
// gained or lost, so as many seeds enter a pit as leave it, and the same number passes every border
// between two pits; it is not 0, for a ply has been played. So seeds enter every pit; sowing leaves
// one in each pit that it passes, other than its origin; and a pit that gets one loses it again
// only by being played. Hence each of the twelve pits has been the origin of at least one ply.
inline constexpr int kShortestCyclePlies = 12;

using Move = std::uint8_t;            // 0..5, the mover's pit counted in sowing direction
inline constexpr Move kNoMove = 255;  // where there is none, as in a game that has ended
using LegalMask = std::uint8_t;       // bit i: move i is legal

enum class Side : std::uint8_t { kSouth = 0, kNorth = 1 };

inline constexpr Side opponent(Side side) {
  return side == Side::kSouth ? Side::kNorth : Side::kSouth;
}

// Trivially copyable; equality of the 16 bytes is equality of positions (same pits, same stores,
// same side to move), so a Board serves as a key.
struct alignas(16) Board {
  std::array<std::uint8_t, kPits> pits = {};  // 0..5 the mover's, 6..11 the opponent's
  std::uint8_t store_to_move = 0;             // seeds captured by the mover
  std::uint8_t store_opponent = 0;
  Side to_move = Side::kSouth;
  std::uint8_t reserved = 0;  // always 0

  friend bool operator==(const Board& left, const Board& right) {
    return std::memcmp(&left, &right, sizeof(Board)) == 0;
  }
};
static_assert(sizeof(Board) == 16);

// A 64-bit hash of all 16 bytes (the finalizer of MurmurHash3 over both halves).
std::uint64_t hash(const Board& board);

// Position in notation, for messages and failing tests.
std::ostream& operator<<(std::ostream& stream, const Board& board);

// 4 seeds in every pit, South to move.
Board initial_board();

// Sum of the mover's pits / of the opponent's pits, in seeds.
int row_to_move_seeds(const Board& board);
int row_opponent_seeds(const Board& board);

// Pits and stores together, in seeds: 48 in a game, fewer in a study position.
int total_seeds(const Board& board);

// Legal moves under `rules`, before any store or history ends the game. 0 means that the mover has
// no legal move and the game is over.
LegalMask legal_moves(const RuleSet& rules, const Board& board);

// Plays `move`, which must be legal, and turns the board to the next player's view. Returns the
// seeds captured. Cost: a few nanoseconds.
int play(const RuleSet& rules, Board& board, Move move);

// Where the last seed of `move` falls (pit index in the mover's view) and what it takes.
struct MovePreview {
  int landing_pit = 0;
  int captured_seeds = 0;
  bool cancelled_grand_slam = false;  // the capture is void because it would take everything
};
// Any move from a non-empty own pit, legal or not.
MovePreview preview(const RuleSet& rules, const Board& board, Move move);

// Why a game is over; the rules' reasons, tested in this order.
enum class EndReason : std::uint8_t {
  kNone = 0,        // the game goes on
  kTarget = 1,      // a store has reached the target
  kNoMoves = 2,     // the mover has no legal move; each keeps his row
  kRepetition = 3,  // the position has occurred too often since the last capture
  kPlyLimit = 4,
};
const char* to_string(EndReason reason);

// The reason why the position ends the game, kNone if it does not. `legal` is its legal_moves,
// `occurrences` how often it has occurred since the last capture, this time included (>= 1), `ply`
// the number of moves played in the game.
EndReason end_reason(const RuleSet& rules, const Board& board, LegalMask legal, int occurrences,
                     int ply);

// Final seeds of the mover minus the opponent's when the game ends here for `reason`. With an equal
// split of the rest the difference is that of the stores.
int final_margin_to_move(const RuleSet& rules, const Board& board, EndReason reason);

}  // namespace awale::env
