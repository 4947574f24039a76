// Private to verify: where a run with damaged files can go on.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "training/data/compare_files.hpp"
#include "training/data/verified_files.hpp"

namespace awale::training {

// The newest sound checkpoint after which all shards that the learner goes on with
// (TrainingData::refill) are sound and there; nothing if there is none.
std::optional<std::uint32_t> resume_point(const VerifiedFiles& files, std::span<const Gap> gaps);

}  // namespace awale::training
