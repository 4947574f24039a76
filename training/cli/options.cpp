#include "training/cli/options.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <system_error>
#include <utility>

#include "env/error.hpp"
#include "env/rules_text.hpp"
#include "mcts/search_fields.hpp"
#include "training/cli/toml_file.hpp"

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
    text += (text.empty() ? "" : ", ") + toml_string(value);
  return text;
}

std::string check_bool(const std::string& text) {
  return text == "true" || text == "false" ? "" : "expected true or false, found '" + text + "'";
}

void require_other_file(const std::string& option, const std::filesystem::path& out,
                        const std::filesystem::path& read) {
  std::error_code ignored;  // not there
  if (!std::filesystem::equivalent(out, read, ignored)) return;
  throw InputError(ErrorKind::kUsage, option + ": expected another file, '" + out.string() +
                                          "' is read for it and would be replaced");
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

namespace {

void bind_field(CLI::App& app, const std::string& names, mcts::Algorithm& algorithm,
                const std::string& help) {
  const std::function<void(const std::string&)> choose = [&algorithm](const std::string& name) {
    algorithm = mcts::parse_algorithm(name);
  };
  app.add_option_function(names + ",--algorithm", choose, help)
      ->default_str(to_string(algorithm))
      ->group("Search");
}

template <typename Field>
void bind_field(CLI::App& app, const std::string& names, Field& field, const std::string& help) {
  add_field(app, names, field, help)->group("Search");
}

void add_search_fields(CLI::App& app, mcts::SearchConfig& search, mcts::FieldUse wanted) {
  mcts::visit_fields(
      search, [&](const std::string& name, auto& field, const char* help, mcts::FieldUse use) {
        if (use != wanted) return;
        const std::string alias = use == mcts::FieldUse::kSimulations ? ",--simulations" : "";
        bind_field(app, "--search." + name + alias, field, help);
      });
}

}  // namespace

void add_simulations(CLI::App& app, mcts::SearchConfig& search) {
  add_search_fields(app, search, mcts::FieldUse::kSimulations);
}

void add_player_search(CLI::App& app, mcts::SearchConfig& search) {
  add_search_fields(app, search, mcts::FieldUse::kPlayer);
}

void add_noise(CLI::App& app, mcts::SearchConfig& search) {
  add_search_fields(app, search, mcts::FieldUse::kNoise);
}

void add_seed(CLI::App& app, std::uint64_t& seed) {
  add_field(app, "--run.seed,--seed", seed, "selects all random numbers");
}

void add_threads(CLI::App& app, int& threads) {
  add_number(app, "--run.threads,--threads", threads, 1, 1024, "worker threads, 1..1024");
}

void add_json(CLI::App& app, bool& json) {
  app.add_flag("--json", json, "print one JSON object");
}

}  // namespace awale::training
