// Random games as self-play would record them, with made-up search results: a pure function of the
// rules and the game's id.
#pragma once

#include <cstdint>
#include <vector>

#include "env/rules.hpp"
#include "training/trajectory.hpp"

namespace awale::tests {

// The first `opening_plies` plies are flagged as random opening.
training::GameRecord random_game(const env::RuleSet& rules, std::uint64_t game_id,
                                 int opening_plies = 0);

// Games with the ids 0..count-1; every second one begins with some opening plies.
std::vector<training::GameRecord> random_games(const env::RuleSet& rules, int count);

}  // namespace awale::tests
