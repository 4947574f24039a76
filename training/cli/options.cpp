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

std::string check_bool(const std::string& text) {
  return text == "true" || text == "false" ? "" : "expected true or false, found '" + text + "'";
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

template <typename Field>
void add_search_field(CLI::App& app, const std::string& key, Field& field,
                      const std::string& help) {
  const std::string name = "--search." + key;
  add_field(app, key == "simulations" ? name + ",--simulations" : name, field, help)
      ->group("Search");
}

void add_algorithm(CLI::App& app, mcts::Algorithm& algorithm) {
  const std::function<void(const std::string&)> choose = [&algorithm](const std::string& name) {
    algorithm = mcts::parse_algorithm(name);
  };
  app.add_option_function("--search.algorithm,--algorithm", choose,
                          "tree search: " + joined(mcts::algorithm_names()))
      ->default_str(to_string(algorithm))
      ->group("Search");
}

}  // namespace

void add_simulations(CLI::App& app, mcts::SearchConfig& search) {
  add_search_field(app, "simulations", search.simulations, "simulations a move, 1..60000");
}

void add_player_search(CLI::App& app, mcts::SearchConfig& search) {
  add_algorithm(app, search.algorithm);
  add_search_field(app, "margin_weight", search.margin_weight,
                   "weight of the seed margin in a position's value, [0, 0.9]");
  add_search_field(app, "solve", search.solve,
                   "true: exact results found in the tree bound the values above them");
  add_search_field(app, "c_puct", search.c_puct, "puct: exploration constant, (0, 100]");
  add_search_field(app, "fpu_reduction", search.fpu_reduction,
                   "puct: value that an unvisited move loses against its parent, [0, 2]");
  add_search_field(app, "reuse_tree", search.reuse_tree,
                   "puct: true: go on with the last search's tree of the same game");
  add_search_field(app, "considered_moves", search.considered_moves,
                   "gumbel: moves considered at the root, 1..6");
  add_search_field(app, "c_visit", search.c_visit,
                   "gumbel: visits added to the largest count in the weight of Q, [0, 10000]");
  add_search_field(app, "c_scale", search.c_scale,
                   "gumbel: weight of Q against the priors, (0, 100]");
  add_search_field(app, "leaves", search.leaves,
                   "leaves of a tree that are evaluated together, 1..255");
}

void add_noise(CLI::App& app, mcts::SearchConfig& search) {
  add_search_field(app, "noise_weight", search.noise_weight,
                   "puct: share of Dirichlet noise in the root's priors, [0, 1]");
  add_search_field(app, "noise_total", search.noise_total,
                   "puct: total concentration of the noise, (0, 1000]");
  add_search_field(app, "forced_playouts", search.forced_playouts,
                   "puct: with noise a visited root move gets sqrt(this * prior * simulations) "
                   "visits at least, 0: none");
  add_search_field(app, "gumbel_noise", search.gumbel_noise,
                   "gumbel: scale of the noise at the root, [0, 100]");
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
