// How many simulations a move a searching player may make so that a move takes a given time: what
// makes a match at equal time out of players that count simulations.
//
// The time is wall-clock of one thread, and a move's share of its batch: the player searches a full
// group of games (arena.hpp) at once on every thread of the match, as in the match itself, from
// fixed positions: random games of 6 to 69 plies, one of each length. It goes on with its own moves
// for a few plies, so that what it remembers of its last search counts as in a game. The
// simulations are then scaled until a move takes the time, within 5 % or to the nearest whole
// simulation. What a match really took is measured again and reported with it.
#pragma once

#include <functional>

#include "env/rules.hpp"
#include "training/arena.hpp"

namespace awale::training {

inline constexpr int kMostSimulations = 60'000;

// 1..kMostSimulations; 1 also where a single one takes longer. `player_at` gives the player with so
// many simulations. Takes about 64 moves at the time and half as many again, seconds for 10 ms.
int calibrate_simulations(const env::RuleSet& rules, double ms_per_move, int threads,
                          const std::function<PlayerFactory(int simulations)>& player_at);

}  // namespace awale::training
