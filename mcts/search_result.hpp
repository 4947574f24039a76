// What a search is asked and what it answers.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "env/game.hpp"
#include "nn/evaluator.hpp"

namespace awale::mcts {

// A position to search. Must not be over.
struct SearchRoot {
  env::Position position;
  std::span<const env::Board> history;  // since the last capture, the position itself last; must
                                        // live until run() returns
  std::uint64_t game_id = 0;            // together with the ply selects the noise's random stream
  int simulations = 0;                  // 0: the config's; at most those
  bool noise = true;                    // false: without noise, whatever the config says
};

// All values are seen from the player to move at the root; arrays are per move, 0 where a move has
// no visits.
struct SearchResult {
  env::LegalMask legal = 0;
  std::array<std::uint32_t, env::kMoves> visits = {};  // simulations that went through each move
  std::array<float, env::kMoves> priors = {};          // network's, over legal moves, before noise
  std::array<float, env::kMoves> values = {};          // mean utility, within the bounds
  std::array<float, env::kMoves> margins_seeds = {};   // mean final margin, within the bounds
  // What is certain about the final margin of each legal move.
  std::array<std::int8_t, env::kMoves> lower_seeds = {};
  std::array<std::int8_t, env::kMoves> upper_seeds = {};

  env::LegalMask playable = 0;                 // the moves to choose from: playable_moves()
  env::Move best = env::kNoMove;               // the move that the search recommends
  std::array<float, env::kMoves> policy = {};  // what a network should learn, sum 1: shares of the
                                               // visits (PUCT), the improved policy (Gumbel)
  // Utility and final margin expected with moves in the proportions of `policy`, of those with
  // visits (PUCT without forced playouts: the mean of all simulations), within the root's bounds.
  float root_value = 0;
  float root_margin_seeds = 0;
  bool solved = false;     // the final margin under best play is certain: that of `best`
  nn::Evaluation network;  // the network's own view of the root
};

}  // namespace awale::mcts
