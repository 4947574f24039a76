// An endgame table in a file: the guarantees of all boards with up to K seeds under one set of
// rules, looked up in place.
//
// What a table knows is about boards alone: the seeds still to be won, without the stores, without
// the game's past, and as if no store of 25 and no ply limit ended the game. Whoever probes
// accounts for these (final_bounds.hpp does).
//
// The file: a header of kHeaderBytes (all numbers little-endian, offsets in bytes)
//
//      0  char[8]    "AWALEEG\n"
//      8  u32        format version, 1
//     12  u32        cycles: 0 kZero, one byte a board; 1 kUnknown, two bytes (guarantees.hpp)
//     16  u32        K, the seeds of the last layer
//     20  u32        length of the rules' text
//     24  u64[32]    checksum (XXH3, 64 bits) of each layer's bytes, 0 beyond K
//    280  char[]     the rules: "key=value" lines, as in configs
//   4088  u64        checksum (XXH3) of the bytes before
//
// then the boards of 0, 1, ..., K seeds in the order of board_index.hpp. Reading checks everything
// once (a second for 10 GB); the bytes are mapped, so that all processes share them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "env/board.hpp"
#include "env/endgame/guarantees.hpp"
#include "env/rules.hpp"

namespace awale::env {

// Bounds on the seeds that the player to move still gains minus those his opponent does, in a game
// played on without an end by target or ply limit. Equal bounds are the value.
struct FutureMargin {
  int low = 0;
  int high = 0;
  bool exact() const { return low == high; }
  friend bool operator==(const FutureMargin&, const FutureMargin&) = default;
};

// Of guarantees over `seeds` seeds.
inline FutureMargin future_margin(CycleScore cycles, Guarantees guarantees, int seeds) {
  if (cycles == CycleScore::kZero) {
    const int value = guarantees.win - guarantees.loss;
    return {value, value};
  }
  return {2 * guarantees.win - seeds, seeds - 2 * guarantees.loss};
}

// Whether boards have the same guarantees under both: where they differ, it is in what a table does
// not look at (target, sweep, limits), or in how a game ends that nobody can feed.
bool same_endgame(const RuleSet& left, const RuleSet& right);

// Safe to read from any thread; copies share one mapping.
class EndgameTable {
 public:
  // Throws InputError: kFile for a file that is missing, damaged or no table, kMismatch for a
  // format of another version; the message names the file and what is wrong.
  static EndgameTable open(const std::filesystem::path& path);

  // The same, and throws InputError(kMismatch) unless it is a table for `rules`.
  static EndgameTable open(const std::filesystem::path& path, const RuleSet& rules);

  const RuleSet& rules() const { return rules_; }
  CycleScore cycles() const { return cycles_; }
  int seeds() const { return seeds_; }  // K
  // Of the header, which holds those of the layers: tables that differ have different ones.
  std::uint64_t checksum() const { return checksum_; }

  // Whether the board has at most K seeds in its pits. Stores do not matter here nor below.
  bool covers(const Board& board) const {
    return row_to_move_seeds(board) + row_opponent_seeds(board) <= seeds_;
  }

  // About the seeds in the pits; nothing beyond K seeds. One random access to memory.
  std::optional<Guarantees> guarantees(const Board& board) const;
  std::optional<FutureMargin> probe(const Board& board) const;

  // The boards from index 0 on.
  GuaranteeArray array() const { return {cycles_, boards_}; }

 private:
  EndgameTable() = default;

  std::shared_ptr<const void> memory_;  // keeps what boards_ points to
  const std::uint8_t* boards_ = nullptr;
  RuleSet rules_;
  CycleScore cycles_ = CycleScore::kZero;
  int seeds_ = 0;
  std::uint64_t checksum_ = 0;
};

// "abapa, up to 15 seeds, checksum 0123456789abcdef": says which table, wherever its file lies.
std::string describe(const EndgameTable& table);

}  // namespace awale::env
