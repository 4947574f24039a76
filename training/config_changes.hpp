// What may change in the config of a run that goes on.
//
// The games of a run are played by one set of rules, one search and one way of self-play, and the
// learner counts its steps from their beginning: what decides these stays. How long a run goes, how
// it learns from the same games, what computes, and how it is watched may change. Each change is
// shown.
#pragma once

#include <string>
#include <vector>

namespace awale::training {

struct ConfigChange {
  std::string key;     // "learner.learning_rate"
  std::string before;  // "none" where the key was not there
  std::string now;
  bool allowed = false;
};

// Differences of two configs as to_toml() writes them, in the order of keys. A key that only one
// of them has is one of another version of the program, so it may come and go; but not the line
// "# table: ...", the content of the table that ends games.
std::vector<ConfigChange> config_changes(const std::string& before, const std::string& now);

// Throws InputError(kMismatch) for the first change that is not allowed, naming `run`, the key and
// both values.
void require_allowed(const std::string& run, const std::vector<ConfigChange>& changes);

}  // namespace awale::training
