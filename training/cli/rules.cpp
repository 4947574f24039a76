#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/rules_text.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct RulesOptions {
  env::RuleSet rules;
  bool json = false;
};

bool is_preset(const std::string& name) {
  const auto names = env::preset_names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_default(const env::RuleSet& rules) {
  return rules.name == env::RuleSet{}.name;
}

// Presets of another name that are the same game.
std::vector<std::string> equal_presets(const env::RuleSet& rules) {
  std::vector<std::string> names;
  for (const auto& name : env::preset_names()) {
    if (name != rules.name && env::preset(name).same_game(rules)) names.push_back(name);
  }
  return names;
}

// Name, source, what differs from the default, and which presets are the same game.
nlohmann::ordered_json summary_json(const env::RuleSet& rules) {
  nlohmann::ordered_json json = {{"name", rules.name}, {"default", is_default(rules)}};
  if (is_preset(rules.name)) json["source"] = env::preset_source(rules.name);
  json["differs"] = nlohmann::ordered_json::object();
  for (const auto& [key, value] : env::differences(rules))
    json["differs"][key] = value;
  json["same_game"] = equal_presets(rules);
  return json;
}

nlohmann::ordered_json rules_json(const env::RuleSet& rules) {
  auto json = summary_json(rules);
  json["parameters"] = nlohmann::ordered_json::array();
  for (const auto& [key, value, meaning] : env::explain(rules)) {
    json["parameters"].push_back({{"key", key}, {"value", value}, {"meaning", meaning}});
  }
  return json;
}

nlohmann::ordered_json presets_json() {
  nlohmann::ordered_json json = {{"presets", nlohmann::ordered_json::array()}};
  for (const auto& name : env::preset_names())
    json["presets"].push_back(summary_json(env::preset(name)));
  return json;
}

std::string title(const env::RuleSet& rules) {
  std::string text = rules.name;
  if (is_default(rules)) text += " (default)";
  if (is_preset(rules.name)) text += std::string(": ") + env::preset_source(rules.name);
  return text;
}

std::string differences_text(const env::RuleSet& rules) {
  std::string text;
  for (const auto& [key, value] : env::differences(rules))
    text += (text.empty() ? "" : ", ") + key + " = " + value;
  return text.empty() ? "the same game" : text;
}

void print_rules(const env::RuleSet& rules) {
  std::cout << title(rules) << '\n';
  for (const auto& name : equal_presets(rules))
    std::cout << "The same game as " << name << ".\n";
  for (const auto& [key, value, meaning] : env::explain(rules)) {
    std::cout << '\n' << key << " = " << value << "\n  " << meaning << '\n';
  }
}

void print_presets() {
  for (const auto& name : env::preset_names()) {
    const env::RuleSet rules = env::preset(name);
    std::cout << title(rules) << '\n';
    if (!is_default(rules)) std::cout << "  " << differences_text(rules) << '\n';
  }
  std::cout << "\nBelow each preset: what differs from " << env::RuleSet{}.name
            << ". `awale rules PRESET` says what it means.\n";
}

void run_rules(const RulesOptions& options, bool chosen) {
  options.rules.validate();
  if (options.json) {
    std::cout << (chosen ? rules_json(options.rules) : presets_json()).dump(2) << '\n';
  } else if (chosen) {
    print_rules(options.rules);
  } else {
    print_presets();
  }
}

}  // namespace

void add_rules_command(CLI::App& app) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* rules = app.add_subcommand(
      "rules", "Say what a rule set's parameters mean; without one, list the presets.");
  add_rules(*rules, options->rules, "PRESET");
  add_json(*rules, options->json);
  rules->footer(
      "Options that change a parameter make a rule set of your own, which any subcommand takes.\n"
      "\n"
      "Examples:\n"
      "  awale rules\n"
      "  awale rules valencian\n"
      "  awale rules awari --rules.target_seeds 0 --json");
  rules->callback([options, rules] { run_rules(*options, rules_given(*rules)); });
}

}  // namespace awale::training
