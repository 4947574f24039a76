// What a network, a search and a player answer to thousands of positions, on several threads.
//
// Positions are asked in fixed groups, each a batch of its own, so that the answers do not depend
// on the number of threads. Each is the beginning of a game (judge.hpp); searches add no noise.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "env/board.hpp"
#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator.hpp"
#include "training/arena.hpp"
#include "training/truth/positions.hpp"

namespace awale::training {

// Builds a thread's own evaluator; called from any thread.
using EvaluatorFactory = std::function<std::unique_ptr<nn::Evaluator>()>;

// Who asks.
struct Asking {
  env::RuleSet rules;
  int threads = 1;
  std::function<void(std::size_t positions)> on_answered = [](std::size_t) {};  // from any thread
};

// The network's own view of each position, seen by the player to move.
std::vector<nn::Evaluation> ask_network(const Asking& asking, const EvaluatorFactory& make,
                                        std::span<const TruthPosition> positions);

// The legal move with the largest prior, of equal ones the lowest.
env::Move prior_move(const nn::Evaluation& evaluation, env::LegalMask legal);

// The move that a search recommends at each position. Throws InputError(kUsage) if `config` is not
// valid.
std::vector<env::Move> ask_search(const Asking& asking, const mcts::SearchConfig& config,
                                  const EvaluatorFactory& make,
                                  std::span<const TruthPosition> positions);

// The player's move at each position; position i is the game with the id i, at its first ply.
// Throws what the player throws.
std::vector<env::Move> ask_player(const Asking& asking, const PlayerFactory& make,
                                  std::span<const TruthPosition> positions);

// `count` games (as moves) that a player plays against itself from different openings, as many
// plies as matches have. Throws InputError(kUsage) if there are not so many openings.
std::vector<std::string> own_games(const Asking& asking, const PlayerFactory& make, int count,
                                   std::uint64_t seed);

}  // namespace awale::training
