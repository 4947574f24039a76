// Policy surprise weighting (Wu 2019 and KataGo's "policy surprise weighting"): positions where the
// search came to another policy than the network's prior are learned from more often.
//
// The surprise of a row is the Kullback-Leibler divergence of its policy target from the prior, in
// nats; 0 where one of them is not known. A row counts
//   (1 - share) + share * (its surprise / the mean surprise of its game)
// times, so the rows of a game together count as many as they are. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include "training/trajectory.hpp"

namespace awale::training {

double policy_surprise(const PlyRecord& ply);

// How often each row of training_rows(game) enters the replay buffer: its count, rounded up or down
// by chance so that the mean is right (RandomStream(seed, kSurprise, game, row)). All 1 for a share
// of 0.
std::vector<int> repeats_by_surprise(const GameRecord& game, double share, std::uint64_t seed);

}  // namespace awale::training
