// Private to verify: whether the sound files of a directory or run agree with each other.
#pragma once

#include <cstdint>

#include "training/data/verified_files.hpp"

namespace awale::training {

// Names, seeds and counts of games; what disagrees goes into `report`. Returns the iteration up to
// which games are missing in the shards, 0 if none are.
std::uint32_t compare_files(const VerifiedFiles& files, VerifyReport& report);

}  // namespace awale::training
