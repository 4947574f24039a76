// Binds settings to the command line: one function a struct, so that each field is spelt once for
// all subcommands, for config files and for the resolved config that a run writes.
//
// An option with a dot in its name is a config key: --search.simulations is `simulations` in
// section [search] (config_file.hpp). Defaults are what the bound object holds when it is bound.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"

namespace awale::training {

// Text that reads back to the same value, for help and for config files.
inline std::string exact_text(const std::string& value) {
  return value;
}
inline std::string exact_text(bool value) {
  return value ? "true" : "false";
}
// Several are what stands between the brackets of a TOML array.
std::string exact_text(const std::vector<std::string>& values);
template <typename Number>
std::string exact_text(Number value) {
  char text[64];
  const auto result = std::to_chars(text, text + sizeof(text), value);
  return {text, result.ptr};
}

// CLI11 would read 010 as 8.
inline bool has_leading_zero(const std::string& text) {
  const auto digit = text.find_first_not_of('-');
  return digit + 1 < text.size() && text[digit] == '0';
}

// "" if `text` is wholly a Number in its range, else what is wrong: CLI11 would read "true" as 1
// and -1 as the largest unsigned number.
template <typename Number>
std::string check_number(const std::string& text) {
  constexpr bool kWhole = std::is_integral_v<Number>;
  Number value = {};
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  bool finite = true;
  if constexpr (!kWhole) finite = std::isfinite(value);
  const bool octal = kWhole && has_leading_zero(text);
  if (error == std::errc() && rest == end && finite && !octal) return "";
  std::string expected = !kWhole                      ? "a number"
                         : octal                      ? "a whole number without leading zeros"
                         : std::is_unsigned_v<Number> ? "a whole number, 0 or more"
                                                      : "a whole number";
  if (kWhole && !octal && error == std::errc::result_out_of_range && rest == end) {
    expected += text[0] == '-' ? ", at least " + exact_text(std::numeric_limits<Number>::min())
                               : ", at most " + exact_text(std::numeric_limits<Number>::max());
  }
  return "expected " + expected + ", found '" + text + "'";
}

// A check for numbers from `low` to `high`, which says so whatever it is given.
template <typename Number>
auto in_range(Number low, Number high) {
  return [low, high](const std::string& text) -> std::string {
    Number value = {};
    std::from_chars(text.data(), text.data() + text.size(), value);
    if (check_number<Number>(text).empty() && value >= low && value <= high) return "";
    return "expected a " + std::string(std::is_integral_v<Number> ? "whole " : "") + "number " +
           exact_text(low) + ".." + exact_text(high) + ", found '" + text + "'";
  };
}

// "" for true and false only: CLI11 would take more.
std::string check_bool(const std::string& text);

// "" for any text but an empty one, which is what an unset variable of a script leaves.
std::string check_not_empty(const std::string& text);

// Throws InputError(kUsage) if writing `out`, which `option` names, would replace `read`, a file
// that the command reads.
void require_other_file(const std::string& option, const std::filesystem::path& out,
                        const std::filesystem::path& read);

// An option whose default is the field's value. `names` as CLI11 wants them, the config key first.
template <typename Field>
CLI::Option* add_field(CLI::App& app, const std::string& names, Field& field,
                       const std::string& help) {
  CLI::Option* option = app.add_option(names, field, help)->default_str(exact_text(field));
  if constexpr (std::is_same_v<Field, bool>) {
    option->check(check_bool);
  } else if constexpr (std::is_arithmetic_v<Field>) {
    option->check(check_number<Field>);
  }
  return option;
}

// The same for a number from `low` to `high`.
template <typename Number>
CLI::Option* add_number(CLI::App& app, const std::string& names, Number& field, Number low,
                        Number high, const std::string& help) {
  return app.add_option(names, field, help)
      ->default_str(exact_text(field))
      ->check(in_range(low, high));
}

// --rules PRESET (key rules.preset) and one option a parameter, which changes the preset whatever
// the order. After parsing `rules` is what has been asked for; its name is "custom" where it is no
// preset. Parsing throws InputError(kUsage) for an unknown preset or value; ranges are checked by
// RuleSet::validate(). With a `positional` the preset may be given as that argument, too.
void add_rules(CLI::App& app, env::RuleSet& rules, const std::string& positional = "");

// Whether a parsed command line or config says anything about the rules.
bool rules_given(const CLI::App& app);

// The fields of a search in three parts: the simulations, what players and self-play need beside
// them, and the noise of self-play.
void add_simulations(CLI::App& app, mcts::SearchConfig& search);
void add_player_search(CLI::App& app, mcts::SearchConfig& search);
void add_noise(CLI::App& app, mcts::SearchConfig& search);

void add_seed(CLI::App& app, std::uint64_t& seed);
void add_threads(CLI::App& app, int& threads);
void add_json(CLI::App& app, bool& json);

}  // namespace awale::training
