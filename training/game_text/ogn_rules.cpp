#include "training/game_text/ogn_rules.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "env/error.hpp"

namespace awale::training {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

constexpr const char* kCustom = "custom";
constexpr const char* kAualeName = "Oware Abapa";

// What Aualé plays by this name (src/auale/game/oware.py).
env::RuleSet auale_rules() {
  return env::from_key_values(env::preset("abapa"), {{"sweep_at_target", "false"}});
}

bool is_preset(const std::string& name) {
  const auto names = env::preset_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse_parameters(const std::string& problem) {
  throw InputError(ErrorKind::kPosition, "tag Rules: " + problem);
}

KeyValues split(const std::string& parameters) {
  KeyValues values;
  std::istringstream stream(parameters);
  for (std::string part; std::getline(stream >> std::ws, part, ';');) {
    const auto equals = part.find('=');
    if (equals == std::string::npos) refuse_parameters("expected KEY=VALUE, found '" + part + "'");
    values.emplace_back(part.substr(0, equals), part.substr(equals + 1));
  }
  return values;
}

void check_complete(const KeyValues& values) {
  for (const auto& [key, value] : env::to_key_values(env::RuleSet{})) {
    const auto is_it = [key = key](const auto& entry) { return entry.first == key; };
    const auto count = std::count_if(values.begin(), values.end(), is_it);
    if (count != (key == "name" ? 0 : 1)) {
      refuse_parameters("expected every parameter once, found " + key + " " +
                        std::to_string(count) + " times");
    }
  }
}

env::RuleSet parse_parameters(const std::string& parameters) {
  auto values = split(parameters);
  check_complete(values);
  values.emplace_back("name", kCustom);
  try {
    auto rules = env::from_key_values(env::RuleSet{}, values);
    rules.validate();
    return rules;
  } catch (const InputError& error) {
    refuse_parameters(error.what());
  }
}

// Nothing if the tags do not say.
std::optional<env::RuleSet> stated_rules(const std::string& variant,
                                         const std::string& parameters) {
  if (variant == kCustom) return parse_parameters(parameters);
  if (!is_preset(variant)) return std::nullopt;
  const auto rules = env::preset(variant);
  if (!parameters.empty() && !rules.same_game(parse_parameters(parameters))) {
    refuse_parameters("contradicts tag Variant, " + variant);
  }
  return rules;
}

}  // namespace

std::string variant_of(const env::RuleSet& rules) {
  if (is_preset(rules.name)) return rules.name;
  return rules.same_game(auale_rules()) ? kAualeName : kCustom;
}

std::string parameters_of(const env::RuleSet& rules) {
  if (variant_of(rules) != kCustom) return "";
  std::string text;
  for (const auto& [key, value] : env::to_key_values(rules)) {
    if (key != "name") text += (text.empty() ? "" : "; ") + key + "=" + value;
  }
  return text;
}

env::RuleSet rules_of(const std::string& variant, const std::string& parameters,
                      const std::optional<env::RuleSet>& given) {
  if (const auto stated = stated_rules(variant, parameters)) {
    if (!given || given->same_game(*stated)) return *stated;
    throw InputError(ErrorKind::kMismatch, "played by the rules " + env::describe(*stated) +
                                               ", but " + env::describe(*given) +
                                               " were asked for");
  }
  if (given) return *given;
  if (variant == kAualeName) return auale_rules();
  if (variant.empty() || variant == "?") return env::RuleSet{};
  throw InputError(ErrorKind::kMismatch, "tag Variant: no rule set '" + variant +
                                             "' here; say with --rules which one is meant");
}

}  // namespace awale::training
