// The search of one game below `Minimax`: principal variation search on packed boards.
//
// Most positions are calm: every pit that holds seeds may be played, and no quiet move ends the
// game. Where the stores alone are counted, the last two plies of a calm position need no boards,
// since what a side can capture is computed for all its moves at once:
//   one ply before the horizon   score = stores + most captured,
//   two plies before it          score <= stores + captured, for each move,
// so that few moves are looked at. Elsewhere every child is built and judged as `env::Game` would.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "env/game.hpp"
#include "mcts/baseline/evaluation.hpp"
#include "mcts/baseline/minimax.hpp"
#include "mcts/baseline/move_order.hpp"
#include "mcts/baseline/past.hpp"
#include "mcts/baseline/rows.hpp"
#include "mcts/baseline/transposition_table.hpp"

namespace awale::mcts {

// The rules as the inner loop asks for them.
struct SearchRules {
  explicit SearchRules(const env::RuleSet& all);

  // Of a position that is not at its target.
  env::LegalMask legal_moves(const Rows& rows) const;

  // Every pit that holds seeds is legal; no quiet move ends the game, and no capture but by the
  // target.
  bool calm(const Rows& rows) const {
    return two_or_more(pits_with(rows.own, 1)) && pits_with(rows.other, guard) != 0;
  }

  const env::RuleSet& all;
  CaptureRules captures;
  int target;          // a store of this size ends the game; beyond reach where none does
  bool slams_limited;  // a grand slam may be illegal
  int guard;           // while the opponent has a pit of so many seeds, a move leaves him some
};

template <typename Evaluation>
class AlphaBeta {
 public:
  // All outlive it.
  AlphaBeta(const env::Game& game, const MinimaxConfig& config, TranspositionTable& table);

  std::uint64_t nodes() const { return nodes_; }

  // Searches to `depth` plies; false and `result` as it was if the budget ran out before. The
  // result of a smaller depth guides it.
  bool iterate(int depth, MinimaxResult& result);

 private:
  // A position that is not over.
  struct Node {
    Rows rows;
    env::LegalMask legal = 0;
    int level = 0;  // plies from the root
    int depth = 0;  // plies still to search, >= 1
    Past::Range past;
  };

  struct Best {
    int score;
    int move;
  };

  int resolve(const Node& root, int move, int guess, int at_least);
  int visit(const Node& parent, int move, int alpha, int beta);
  int search(const Node& node, int alpha, int beta);
  int search_with_table(const Node& node, int alpha, int beta);
  Best search_children(const Node& node, int first, int alpha, int beta);
  int search_last_ply(const Node& node, int alpha, int beta);
  int search_last_two_plies(const Node& node, int alpha, int beta);

  std::optional<int> endgame_score(const Node& node) const;
  bool table_in_reach(const Rows& rows, int captured) const;
  int terminal_score(const Rows& rows, env::EndReason reason) const;
  std::uint64_t key(const Node& node) const;
  bool out_of_budget();

  const env::Game& game_;
  const SearchRules rules_;
  const std::optional<env::EndgameTable>& endgame_;
  TranspositionTable& table_;
  Past past_;
  MoveHistory history_;

  const std::uint64_t most_nodes_;
  const bool timed_;
  const std::chrono::steady_clock::time_point deadline_;
  std::uint64_t nodes_ = 0;
  std::uint64_t next_check_ = 0;  // of the budget, in nodes
  bool stopped_ = false;

  bool limit_in_reach_ = false;  // the game's ply limit
  bool shortcuts_ = false;       // whether the last plies of calm positions may take them
};

extern template class AlphaBeta<SeedsEvaluation>;
extern template class AlphaBeta<TunedEvaluation>;

}  // namespace awale::mcts
