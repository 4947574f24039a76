#include "training/cli/options.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "env/rules_text.hpp"

namespace awale::training {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What has been said about the rules so far; options may come in any order.
struct RulesText {
  env::RuleSet base;
  KeyValues changes;

  env::RuleSet resolve() const { return env::from_key_values(base, changes); }
};

// For rules that are no preset any: all parameters are options of their own.
std::string nearest_preset(const env::RuleSet& rules) {
  const auto names = env::preset_names();
  return std::find(names.begin(), names.end(), rules.name) == names.end() ? names.front()
                                                                          : rules.name;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string exact_text(const std::vector<std::string>& values) {
  std::string text;
  for (const auto& value : values)
    text += (text.empty() ? "" : ",") + value;
  return text;
}

std::string check_not_empty(const std::string& text) {
  return text.empty() ? "expected a text, found an empty one" : "";
}

void add_rules(CLI::App& app, env::RuleSet& rules, const std::string& positional) {
  auto text = std::make_shared<RulesText>(RulesText{rules, {}});
  const std::function<void(const std::string&)> choose_preset = [text,
                                                                 &rules](const std::string& name) {
    text->base = env::preset(name);
    rules = text->resolve();
  };
  const std::string names = "--rules.preset,--rules";
  app.add_option_function(positional.empty() ? names : names + "," + positional, choose_preset,
                          "rule set: " + joined(env::preset_names()))
      ->default_str(nearest_preset(rules))
      ->group("Rules");
  for (const auto& [key, value] : env::to_key_values(rules)) {
    if (key == "name") continue;
    const std::function<void(const std::string&)> change = [text, &rules,
                                                            key = key](const std::string& found) {
      text->changes.emplace_back(key, found);
      rules = text->resolve();
    };
    app.add_option_function("--rules." + key, change, env::parameter_help(key))
        ->default_str(value)
        ->group("Rules");
  }
}

bool rules_given(const CLI::App& app) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group() == "Rules" && option->count() > 0) return true;
  }
  return false;
}

void add_player_search(CLI::App& app, mcts::SearchConfig& search) {
  const auto add = [&app](const std::string& name, auto& field, const std::string& help) {
    add_field(app, name, field, help)->group("Search");
  };
  add("--search.simulations,--simulations", search.simulations, "simulations a move, 1..60000");
  add("--search.c_puct", search.c_puct, "exploration constant of PUCT, (0, 100]");
  add("--search.fpu_reduction", search.fpu_reduction,
      "value that an unvisited move loses against its parent, [0, 2]");
  add("--search.margin_weight", search.margin_weight,
      "weight of the seed margin in a position's value, [0, 0.9]");
}

void add_search(CLI::App& app, mcts::SearchConfig& search) {
  add_player_search(app, search);
  add_field(app, "--search.noise_weight", search.noise_weight,
            "share of Dirichlet noise in the root's priors, [0, 1]")
      ->group("Search");
  add_field(app, "--search.noise_total", search.noise_total,
            "total concentration of the noise, (0, 1000]")
      ->group("Search");
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  add_field(app, "--run.seed,--seed", seed, "selects all random numbers");
}

void add_threads(CLI::App& app, int& threads) {
  add_field(app, "--run.threads,--threads", threads, "worker threads, 1..1024");
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print one JSON object");
}

}  // namespace awale::training
