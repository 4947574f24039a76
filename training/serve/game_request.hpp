// What a page asks of the server, as JSON, checked: a game, and what to do with it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "env/board.hpp"
#include "env/rules.hpp"

namespace awale::training {

// More letters than any game of our presets has plies.
inline constexpr std::size_t kMostRequestPlies = 4000;

struct GameRequest {
  env::RuleSet rules;
  env::Board start;
  std::string moves;
};

// The object that `body` is, with none but the `known` keys. Throws InputError(kUsage).
nlohmann::ordered_json read_object(std::string_view body, std::initializer_list<const char*> known);

// Keys rules (the name of a preset, or an object of parameters), start and moves, all optional.
// Throws InputError: kUsage for a value of a wrong type and for rules that are none, kPosition for
// a start that is none.
GameRequest read_game(const nlohmann::ordered_json& request, const env::RuleSet& default_rules);
env::RuleSet read_rules(const nlohmann::ordered_json& request, const env::RuleSet& default_rules);

// A text, `fallback` where there is none. Throws InputError(kUsage) for anything else.
std::string read_text(const nlohmann::ordered_json& request, const char* key,
                      const std::string& fallback);

// Key simulations, `fallback` where there is none. Throws InputError(kUsage) unless 1..most.
int read_simulations(const nlohmann::ordered_json& request, int fallback, int most);

}  // namespace awale::training
