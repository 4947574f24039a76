// Rule sets in HDF5 files: a group each, "rules/0", "rules/1", ..., with an attribute a parameter.
// Shards, checkpoints and exported weights keep them alike.
#pragma once

#include <span>
#include <vector>

#include "env/rules.hpp"
#include "nn/hdf5_file.hpp"

namespace awale::nn {

void store_rule_sets(Hdf5Writer& file, std::span<const env::RuleSet> rules);

// One at least. Takes the single set of older files, too, whose attributes are those of the group
// "rules". Throws InputError(kFile) for missing or wrong parameters, kMismatch for those that this
// build does not know.
std::vector<env::RuleSet> load_rule_sets(const Hdf5Reader& file);

}  // namespace awale::nn
