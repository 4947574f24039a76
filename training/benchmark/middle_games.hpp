// The positions that single-game benchmarks search.
#pragma once

#include <vector>

#include "env/game.hpp"

namespace awale::training {

// `count` games that go on after 5, 10, 15, ... random moves, always the same ones. Uses
// RandomPurpose::kRollout.
std::vector<env::Game> middle_games(const env::RuleSet& rules, int count);

}  // namespace awale::training
