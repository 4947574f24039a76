// Small endgame tables for tests, and a second solver that shares no code with env/endgame.
#pragma once

#include <filesystem>
#include <map>
#include <vector>

#include "env/endgame/builder.hpp"
#include "env/endgame/table.hpp"
#include "tests/support/temp_dir.hpp"

namespace awale::test {

// All presets, and further variants of what happens at a grand slam.
std::vector<env::RuleSet> endgame_rules();

// Builds without reports, and stops after `layers` layers.
bool build_table(const env::RuleSet& rules, int seeds, const std::filesystem::path& path,
                 int threads = 1, int layers = 100);

// A table in a directory that is gone when it has been opened.
env::EndgameTable small_table(const env::RuleSet& rules, int seeds);

// The guarantees of all boards with up to `seeds` seeds, by the pits in mover's order: the least
// fixed point of what the moves say, found by repeating them from 0 until nothing changes. The
// moves are those of the naive rules.
using NaiveTable = std::map<std::vector<int>, env::Guarantees>;
NaiveTable naive_table(const env::RuleSet& rules, int seeds);

// The board with these pits in mover's order, South to move, empty stores.
env::Board board_of(const std::vector<int>& pits);

}  // namespace awale::test
