// A slow, obviously correct PUCT search of one game: recursive, with pointers, a copy of the whole
// game in every node and every number summed anew from a list of what came back. It shares no code
// with the fast search but the evaluator and the game.
#pragma once

#include "env/game.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"

namespace awale::test {

// What BatchedSearch must find at the root, without noise. In float and with the same order of
// operations, so that the results can be compared for equality.
mcts::SearchResult reference_search(const env::Game& game, const mcts::SearchConfig& config,
                                    nn::Evaluator& evaluator);

// Equal to the last bit in everything that a result holds.
bool same_result(const mcts::SearchResult& left, const mcts::SearchResult& right);

}  // namespace awale::test
