// Private to OGN's reader and writer: the rules as tags Variant and Rules (see ogn.hpp).
#pragma once

#include <optional>
#include <string>

#include "env/rules.hpp"

namespace awale::training {

// The value of Variant: "awari", "Oware Abapa", "custom".
std::string variant_of(const env::RuleSet& rules);

// The value of Rules: all parameters; "" where Variant says it all.
std::string parameters_of(const env::RuleSet& rules);

// The rules that the tags' values ("" for a missing tag) state, `given` (from the command line) and
// the default preset, in this order of who decides. Aualé's name yields to `given`: as a name it is
// abapa's. Throws InputError: kPosition for values that are malformed or contradict each other,
// kMismatch if the stated rules are not `given`, or have an unknown name and none are given.
env::RuleSet rules_of(const std::string& variant, const std::string& parameters,
                      const std::optional<env::RuleSet>& given);

}  // namespace awale::training
