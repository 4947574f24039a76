// Positions for the search's tests: games played at random to some ply, none of them over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "env/game.hpp"
#include "env/random.hpp"
#include "mcts/batched_search.hpp"

namespace awale::test {

// `seeds` seeds thrown into the 12 pits, the others in two stores that differ by 0 or 1, so that
// with few seeds on the board both are just below 25. Either side to move.
env::Board random_board(int seeds, env::RandomStream& stream);

// Up to `plies` random moves from `start`, stopping before a move that would end the game. `start`
// must not be over under `rules`.
env::Game random_game(const env::RuleSet& rules, const env::Board& start, int plies,
                      env::RandomStream& stream);

// A mixed bag of `count` games under `rules`: openings, middle games, endgames of few seeds with
// long quiet histories, stores near 25, both sides to move.
std::vector<env::Game> random_games(const env::RuleSet& rules, int count, std::uint64_t seed);

// The board with the seats swapped: the same pits for the mover, the other side's name.
env::Board other_seat(const env::Board& board);

// Roots for the games, ids 0, 1, ... The games must outlive them.
std::vector<mcts::SearchRoot> roots_of(const std::vector<env::Game>& games);

}  // namespace awale::test
