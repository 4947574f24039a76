#include "training/serve/game_request.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "env/error.hpp"
#include "env/notation.hpp"
#include "training/game_text/board_view.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

[[noreturn]] void reject(const std::string& problem) {
  throw InputError(ErrorKind::kUsage, problem);
}

std::string joined(std::initializer_list<const char*> words) {
  std::string text;
  for (const char* word : words)
    text += (text.empty() ? "" : ", ") + std::string(word);
  return text;
}

// What was found, in a message: no more of it than a line can hold, and UTF-8.
std::string shown(const Json& value) {
  constexpr std::size_t kMost = 60;
  const std::string text =
      value.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
  return text.size() <= kMost ? text : text.substr(0, kMost) + "...";
}

env::RuleSet rules_of_parameters(const Json& parameters) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const auto& [key, value] : parameters.items()) {
    if (!value.is_string()) reject("rules: " + key + ": expected a text, found " + shown(value));
    values.emplace_back(key, value.get<std::string>());
  }
  env::RuleSet rules = env::from_key_values(env::RuleSet{}, values);
  rules.validate();
  for (const auto& name : env::preset_names()) {
    if (env::preset(name).same_game(rules)) return env::preset(name);
  }
  return rules;
}

}  // namespace

Json read_object(std::string_view body, std::initializer_list<const char*> known) {
  Json request = Json::parse(body, nullptr, /*allow_exceptions=*/false);
  if (!request.is_object()) reject("expected a JSON object, found " + shown(std::string(body)));
  for (const auto& [key, value] : request.items()) {
    const bool is_known = std::any_of(known.begin(), known.end(),
                                      [&key = key](const char* name) { return key == name; });
    if (!is_known) reject("expected the keys " + joined(known) + ", found " + shown(key));
  }
  return request;
}

std::string read_text(const Json& request, const char* key, const std::string& fallback) {
  const auto found = request.find(key);
  if (found == request.end()) return fallback;
  if (!found->is_string()) reject(std::string(key) + ": expected a text, found " + shown(*found));
  return found->get<std::string>();
}

env::RuleSet read_rules(const Json& request, const env::RuleSet& default_rules) {
  const auto found = request.find("rules");
  if (found == request.end()) return default_rules;
  if (found->is_object()) return rules_of_parameters(*found);
  return env::preset(read_text(request, "rules", ""));
}

GameRequest read_game(const Json& request, const env::RuleSet& default_rules) {
  GameRequest game;
  game.rules = read_rules(request, default_rules);
  game.start = named_board(read_text(request, "start", kStart), env::SeedCount::kStudy);
  game.moves = read_text(request, "moves", "");
  if (game.moves.size() > kMostRequestPlies) {
    reject("moves: expected at most " + std::to_string(kMostRequestPlies) + " letters, found " +
           std::to_string(game.moves.size()));
  }
  return game;
}

int read_simulations(const Json& request, int fallback, int most) {
  const auto found = request.find("simulations");
  if (found == request.end()) return fallback;
  // Of any size, so that no number wraps around.
  if (!found->is_number_integer() || *found < 1 || *found > most) {
    reject("simulations: expected a whole number 1.." + std::to_string(most) + ", found " +
           shown(*found));
  }
  return found->get<int>();
}

}  // namespace awale::training
