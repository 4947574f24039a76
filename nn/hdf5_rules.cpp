#include "nn/hdf5_rules.hpp"

#include <algorithm>

#include "env/error.hpp"

namespace awale::nn {
namespace {

constexpr const char* kRules = "rules";

[[noreturn]] void fail(ErrorKind kind, const Hdf5Reader& file, const std::string& problem) {
  throw InputError(kind, "'" + file.path().string() + "': " + problem);
}

env::RuleSet load_rules(const Hdf5Reader& file, const std::string& group) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, value] : env::to_key_values(env::RuleSet{})) {
    values.emplace_back(key, file.string_attribute(group, key));
  }
  // A parameter more is a game that this build does not know.
  for (const auto& name : file.attributes(group)) {
    const auto is_it = [&name](const auto& entry) { return entry.first == name; };
    if (std::none_of(values.begin(), values.end(), is_it)) {
      std::string problem = group;
      problem += "@" + name + ": no such rule parameter in this build";
      fail(ErrorKind::kMismatch, file, problem);
    }
  }
  try {
    auto rules = env::from_key_values(env::RuleSet{}, values);
    rules.validate();
    return rules;
  } catch (const InputError& error) {
    fail(ErrorKind::kFile, file, error.what());
  }
}

}  // namespace

void store_rule_sets(Hdf5Writer& file, std::span<const env::RuleSet> rules) {
  for (std::size_t i = 0; i < rules.size(); ++i) {
    for (const auto& [key, value] : env::to_key_values(rules[i]))
      file.attribute(numbered_group(kRules, i), key, value);
  }
}

std::vector<env::RuleSet> load_rule_sets(const Hdf5Reader& file) {
  if (!file.has(numbered_group(kRules, 0))) return {load_rules(file, kRules)};
  std::vector<env::RuleSet> rules;
  const std::size_t count = file.numbered_groups(kRules);
  for (std::size_t i = 0; i < count; ++i)
    rules.push_back(load_rules(file, numbered_group(kRules, i)));
  return rules;
}

}  // namespace awale::nn
