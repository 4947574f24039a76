// Private to trajectory_tables.cpp: the columns of both tables, each named and described in one
// place for writing and reading.
#pragma once

#include <cstdint>
#include <vector>

#include "env/board.hpp"

namespace awale::training {

inline constexpr std::size_t kBoardColumns = env::kPits + 2;  // pits and stores

// A row a game.
struct GameColumns {
  std::vector<std::uint64_t> game_id;
  std::vector<std::uint64_t> first_ply;
  std::vector<std::uint32_t> plies;
  std::vector<std::uint32_t> first_iteration;
  std::vector<std::uint32_t> last_iteration;
  std::vector<std::uint8_t> reason;
  std::vector<std::int8_t> margin_south;
  std::vector<std::uint8_t> start_board;
  std::vector<std::uint8_t> start_to_move;
  std::vector<std::uint8_t> rules;
  std::vector<std::uint16_t> source;
};

// A row a ply, game after game.
struct PlyColumns {
  std::vector<std::uint8_t> board;
  std::vector<std::uint8_t> to_move;
  std::vector<std::uint16_t> ply;
  std::vector<std::uint16_t> quiet_plies;
  std::vector<std::uint8_t> repetitions;
  std::vector<std::uint8_t> legal;
  std::vector<std::uint8_t> move;
  std::vector<std::uint8_t> flags;
  std::vector<std::uint32_t> visits;
  std::vector<std::uint16_t> policy;
  std::vector<std::uint16_t> prior;
  std::vector<std::int16_t> move_values;
  std::vector<float> root_value;
  std::vector<float> root_margin;
  std::vector<float> network_value;
  std::vector<float> network_margin;
  std::vector<std::uint16_t> network_draw;
};

// Calls visit(name, column, values a row, description) for each column, with the schema that
// brought it in front: visit(since, name, ...).
template <typename Visit>
void visit_columns(GameColumns& games, const Visit& visit) {
  visit(1, "game_id", games.game_id, 1, "number of the game, unique in the run");
  visit(1, "first_ply", games.first_ply, 1, "row of the game's first ply in plies");
  visit(1, "plies", games.plies, 1, "number of plies");
  visit(1, "first_iteration", games.first_iteration, 1, "iteration that played the first ply");
  visit(1, "last_iteration", games.last_iteration, 1, "iteration that played the last ply");
  visit(
      1, "reason", games.reason, 1,
      "0 unfinished, 1 target reached, 2 no legal move, 3 repetition, 4 ply limit, 5 adjudicated: "
      "stopped where an endgame table knew the end");
  visit(1, "margin_south", games.margin_south, 1, "final seeds of South minus North's");
  visit(1, "start_board", games.start_board, kBoardColumns,
        "start position, laid out as board, seen from the side to move");
  visit(1, "start_to_move", games.start_to_move, 1, "side to move at the start: 0 South, 1 North");
  visit(4, "rules", games.rules, 1, "the game's rules: number of the group below rules");
  visit(4, "source", games.source, 1,
        "where the game comes from: number of the group below sources, 0 where there are none");
}

template <typename Visit>
void visit_columns(PlyColumns& plies, const Visit& visit) {
  visit(1, "board", plies.board, kBoardColumns,
        "seeds before the move: the mover's pits 0..5 in sowing direction, the opponent's 6 pits, "
        "the mover's store, the opponent's store");
  visit(1, "to_move", plies.to_move, 1, "the mover: 0 South, 1 North");
  visit(1, "ply", plies.ply, 1, "moves played in the game before this one");
  visit(1, "quiet_plies", plies.quiet_plies, 1, "moves played since the last capture");
  visit(1, "repetitions", plies.repetitions, 1,
        "earlier occurrences of the position since the last capture; 0 under rules without "
        "repetition");
  visit(1, "legal", plies.legal, 1, "bit i: the mover's pit i may be played");
  visit(1, "move", plies.move, 1, "the pit played, 0..5 of the mover");
  visit(1, "flags", plies.flags, 1,
        "bit 0: no search (random opening, game from elsewhere); bit 1: move sampled from the "
        "visits; bit 2: fast search, no policy target; bit 3: root_value and root_margin are an "
        "endgame table's; bit 4: the search has proved the final margin");
  visit(1, "visits", plies.visits, env::kMoves, "the search's visits of each of the mover's pits");
  visit(2, "policy", plies.policy, env::kMoves,
        "policy target in units of 1/65535, all 0 where there is none");
  visit(
      4, "prior", plies.prior, env::kMoves,
      "the network's probability of each move before the search, in units of 1/65535, all 0 where "
      "it is not known");
  visit(4, "move_values", plies.move_values, env::kMoves,
        "the search's mean utility of each move, -1..1 in units of 1/32767, 0 without visits");
  visit(1, "root_value", plies.root_value, 1,
        "the search's win minus loss probability of the mover, -1..1");
  visit(1, "root_margin", plies.root_margin, 1,
        "the search's expected final seeds of the mover minus the opponent's");
  visit(1, "network_value", plies.network_value, 1,
        "the network's win minus loss probability of the mover, -1..1");
  visit(1, "network_margin", plies.network_margin, 1,
        "the network's expected final seeds of the mover minus the opponent's");
  visit(4, "network_draw", plies.network_draw, 1,
        "the network's probability of a draw, in units of 1/65535");
}

}  // namespace awale::training
