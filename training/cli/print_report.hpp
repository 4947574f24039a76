// How evaluate and match print what they have found.
#pragma once

#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>

#include "env/rules.hpp"

namespace awale::training {

// A report of any kind that has to_text() and to_json(), followed by the rules and the seed.
template <typename Report>
void print_report(const Report& report, const env::RuleSet& rules, std::uint64_t seed, bool json) {
  if (!json) {
    std::cout << to_text(report) << "rules " << env::describe(rules) << ", seed " << seed << '\n';
    return;
  }
  auto object = to_json(report);
  object["rules"] = env::describe(rules);
  object["seed"] = seed;
  std::cout << object.dump(2) << '\n';
}

}  // namespace awale::training
