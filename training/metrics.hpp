// metrics.jsonl: a JSON object a line, one line an iteration, appended as the run goes.
#pragma once

#include <cstdint>
#include <filesystem>

#include <nlohmann/json_fwd.hpp>
#include <set>

#include "training/run_clock.hpp"

namespace awale::training {

// Appends `line` (it has a number "iteration"). Throws InputError(kWrite).
void append_metrics(const std::filesystem::path& file, const nlohmann::ordered_json& line);

// Drops lines of iterations after `iteration` and what a kill has cut off, so that a resumed run
// writes each iteration once. Returns the training time that the last line kept has counted, 0 if
// there is none.
TimeUsed rewind_metrics(const std::filesystem::path& file, std::uint32_t iteration);

// The same for grades.jsonl; returns the iterations whose grades are kept.
std::set<std::uint32_t> graded_iterations(const std::filesystem::path& file,
                                          std::uint32_t iteration);

}  // namespace awale::training
