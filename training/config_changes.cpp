#include "training/config_changes.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

#include "env/error.hpp"

namespace awale::training {
namespace {

constexpr std::string_view kTablePrefix = "# table: ";
constexpr const char* kTableKey = "content of adjudication.table";
constexpr const char* kNone = "none";

std::map<std::string, std::string> parse(const std::string& toml) {
  std::map<std::string, std::string> values;
  std::istringstream lines(toml);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    const auto equals = line.find(" = ");
    if (line.rfind(kTablePrefix, 0) == 0) {
      values[kTableKey] = line.substr(kTablePrefix.size());
    } else if (line.rfind('[', 0) == 0) {
      section = line.substr(1, line.size() - 2);
    } else if (equals != std::string::npos) {
      values[section + "." + line.substr(0, equals)] = line.substr(equals + 3);
    }
  }
  return values;
}

// Earlier versions wrote seeds that TOML's integers cannot hold bare; they are quoted now.
std::string without_quotes(const std::string& value) {
  return value.size() >= 2 && value.front() == '"' ? value.substr(1, value.size() - 2) : value;
}

// Sections that neither the games nor the count of steps depend on.
bool is_free_section(std::string_view section) {
  static const std::set<std::string_view> sections = {"run",        "data",    "evaluator",
                                                      "evaluation", "grading", "alarms"};
  return sections.count(section) > 0;
}

// Of the learner, all but what steps are counted by (batch_rows, uses_per_row, warmup_rows), which
// games are held out and how many, and the warm-up, which is over.
bool is_free_learner_key(std::string_view key) {
  static const std::set<std::string_view> keys = {"kind",
                                                  "learning_rate",
                                                  "gradient_clip",
                                                  "weight_decay",
                                                  "beta1",
                                                  "beta2",
                                                  "ema_decay",
                                                  "decay_share",
                                                  "window_rows",
                                                  "window_exponent",
                                                  "window_first_rows",
                                                  "surprise_share",
                                                  "policy_weight",
                                                  "wdl_weight",
                                                  "margin_weight",
                                                  "margin_distribution_weight",
                                                  "plies_left_weight"};
  return keys.count(key) > 0;
}

bool may_change(const std::string& key) {
  if (key == "run.seed") return false;
  if (key == "adjudication.table") return true;  // its place
  const auto dot = key.find('.');
  const std::string_view view = key;
  return is_free_section(view.substr(0, dot)) ||
         (view.substr(0, dot) == "learner" && is_free_learner_key(view.substr(dot + 1)));
}

}  // namespace

std::vector<ConfigChange> config_changes(const std::string& before, const std::string& now) {
  auto old_values = parse(before);
  auto new_values = parse(now);
  std::map<std::string, bool> keys;  // in both?
  for (const auto& [key, value] : old_values)
    keys[key] = new_values.count(key) > 0;
  for (const auto& [key, value] : new_values)
    keys.try_emplace(key, false);
  const auto value_of = [](const auto& values, const std::string& key) {
    const auto found = values.find(key);
    return found == values.end() ? kNone : found->second;
  };
  std::vector<ConfigChange> changes;
  for (const auto& [key, in_both] : keys) {
    ConfigChange change{key, value_of(old_values, key), value_of(new_values, key)};
    if (without_quotes(change.before) == without_quotes(change.now)) continue;
    change.allowed = key != kTableKey && (!in_both || may_change(key));
    changes.push_back(std::move(change));
  }
  return changes;
}

void require_allowed(const std::string& run, const std::vector<ConfigChange>& changes) {
  for (const auto& change : changes) {
    if (change.allowed) continue;
    throw InputError(ErrorKind::kMismatch, run + ": " + change.key +
                                               " cannot change in a run that goes on: it has " +
                                               change.before + ", now " + change.now);
  }
}

}  // namespace awale::training
