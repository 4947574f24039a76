// Private to verify: whether the sound files of a directory or run agree with each other.
#pragma once

#include <cstdint>
#include <vector>

#include "training/data/verified_files.hpp"

namespace awale::training {

// Iterations after `after` up to `until` whose games are not all in a run's shards.
struct Gap {
  std::uint32_t after = 0;
  std::uint32_t until = 0;
};

// Names, seeds and, in a run, counts of games; what disagrees goes into `report`. Returns where
// games are missing, ascending; what is damaged is none of it.
std::vector<Gap> compare_files(const VerifiedFiles& files, VerifyReport& report);

}  // namespace awale::training
