// Alpha-beta search on the rules alone: an independent yardstick for everything that learns.
//
// Iterative deepening with principal variation search: null windows close in on the score of a
// move. The table's move is searched first, then captures, largest first, then quiet moves by what
// they have refuted. A position at the horizon is valued by an evaluation (by default the
// difference of the stores in seeds), an ending by its final margin, moved beyond the reach of
// every unfinished position. No extensions, reductions or pruning that could change a result: at a
// fixed depth, score and best moves equal those of plain exhaustive search to that depth.
// (That forbids late-move reductions, which are therefore left out.)
//
// Repetition makes a score depend on the way to the position, so the table's key holds all that can
// matter within the remaining depth: the board, those positions since the last capture that may
// still be reached again (`past.hpp`), and the ply where the ply limit is in reach. An entry is
// used for a score only at its own depth. So the table never changes a result, only the number of
// nodes.
//
// A search starts from an empty table: the result is a pure function of game and config (with a
// time budget also of the machine's speed). One thread at a time per object.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "env/endgame/table.hpp"
#include "env/game.hpp"
#include "mcts/baseline/evaluation.hpp"
#include "mcts/baseline/transposition_table.hpp"

namespace awale::mcts {

// In seeds. Score of a won ending with margin m: kDecidedScore + m; lost: -(kDecidedScore + m);
// drawn: 0.
inline constexpr int kDecidedScore = 100;

struct MinimaxConfig {
  int depth = 6;    // plies, 1..99
  int time_ms = 0;  // budget a move: stops deepening towards `depth` when it is spent; 0: none
  int nodes = 0;    // the same in nodes, on any machine with the same result
  int table_log2_entries = 16;  // 16 bytes an entry: 1 MiB, which stays in the cache
  MinimaxEvaluation evaluation = MinimaxEvaluation::kSeeds;
  // Judges the positions that it covers right after a capture, where nothing of the past matters:
  // as an ending where it proves who wins, else as the mean of its bounds on the final margin. It
  // must be a table for the rules of the games searched.
  std::optional<env::EndgameTable> endgame = std::nullopt;
  std::string table = "";  // its file, as the player's name shows it

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

// Sets what a player's setting says: `evaluation`, or `table`, which is not opened. Throws
// InputError(kUsage) naming an unknown key or value.
void set_minimax_field(MinimaxConfig& config, const std::string& key, const std::string& value);

struct MinimaxResult {
  env::Move move = 0;             // the lowest of best_moves
  env::LegalMask best_moves = 0;  // all moves of the best score
  int score = 0;                  // seen from the player to move; in seeds, or in hundredths of a
                                  // seed with the tuned evaluation
  int depth = 0;                  // plies of the deepest finished iteration
  std::uint64_t nodes = 0;        // positions visited below the root; one before the horizon the
                                  // moves whose captures were computed
};

class Minimax {
 public:
  // Throws InputError(kUsage) if `config` is not valid.
  explicit Minimax(const MinimaxConfig& config);

  // `game` must not be over.
  MinimaxResult search(const env::Game& game);

 private:
  MinimaxConfig config_;
  TranspositionTable table_;
};

}  // namespace awale::mcts
