// Positions for the tests of encoders and networks.
#pragma once

#include <cstdint>
#include <vector>

#include "env/game.hpp"
#include "nn/weights.hpp"

namespace awale::test {

// `count` positions from games played at random under `rules`, none of them over, both sides to
// move.
std::vector<env::Position> random_positions(const env::RuleSet& rules, int count,
                                            std::uint64_t seed);

// `count` boards with up to 48 seeds thrown anywhere, long captures among them, and a random past;
// they may be over and no game need reach them.
std::vector<env::Position> random_boards(int count, std::uint64_t seed);

// Every preset, and rules that no preset has.
std::vector<env::RuleSet> many_rules();

// Weights with heads as large as after training, so that outputs differ between positions.
nn::NetworkWeights lively_weights(const nn::NetworkConfig& config, std::uint64_t seed);

}  // namespace awale::test
