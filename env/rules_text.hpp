// The rules in a person's words: what a parameter is about, what its value means, where a preset
// comes from. The one place for these words; keys and values themselves are spelt by `rules`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "env/rules.hpp"

namespace awale::env {

// What a parameter is about and the values it takes, short enough for an option's help. `key` as in
// to_key_values, without the name.
const char* parameter_help(std::string_view key);

struct ParameterText {
  std::string key;  // key and value as in to_key_values
  std::string value;
  std::string meaning;  // a clause without a full stop: "a store of 25 seeds ends the game"
};

// Every parameter but the name, in the order of to_key_values. One that another parameter makes
// idle, as sweep_at_target without a target, is said to be so.
std::vector<ParameterText> explain(const RuleSet& rules);

// "each takes the seeds left in his row" and so on.
const char* explain(CutOffScore score);

// A preset in one line: where it comes from or whom it is for. `name` is one of preset_names().
const char* preset_source(std::string_view name);

// "1st", "2nd", "11th"; number >= 1.
std::string ordinal(int number);

}  // namespace awale::env
