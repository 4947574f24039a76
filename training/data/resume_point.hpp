// Private to verify: where a run with damaged files can go on.
#pragma once

#include <cstdint>
#include <optional>

#include "training/data/verified_files.hpp"

namespace awale::training {

// The newest sound checkpoint after which all shards that the learner goes on with are sound and
// there; nothing if there is none. Games of shards up to iteration `incomplete_until` are missing.
std::optional<std::uint32_t> resume_point(const VerifiedFiles& files,
                                          std::uint32_t incomplete_until);

}  // namespace awale::training
