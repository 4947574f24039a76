// A batch as a file, for looking at one that made training diverge.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "env/rules.hpp"
#include "training/targets.hpp"

namespace awale::training {

// HDF5: attribute `kind` = "batch" of the root, the rules as attributes of `rules/0`, `rules/1`,
// ..., a dataset a field of TrainingRow below `rows`, described by its attribute `description`.
// Throws InputError(kWrite).
void write_batch(const std::filesystem::path& path, const std::vector<env::RuleSet>& rules,
                 std::span<const TrainingRow* const> rows);

}  // namespace awale::training
