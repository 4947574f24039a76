#include "mcts/search_fields.hpp"

#include <charconv>
#include <string>

#include "env/error.hpp"

namespace awale::mcts {
namespace {

[[noreturn]] void refuse(std::string_view name, const std::string& expected,
                         std::string_view found) {
  throw InputError(ErrorKind::kUsage, "search." + std::string(name) + ": expected " + expected +
                                          ", found '" + std::string(found) + "'");
}

void parse(std::string_view /*name*/, std::string_view text, Algorithm& field) {
  field = parse_algorithm(text);
}

void parse(std::string_view name, std::string_view text, bool& field) {
  if (text != "true" && text != "false") refuse(name, "true or false", text);
  field = text == "true";
}

template <typename Number>
void parse(std::string_view name, std::string_view text, Number& field) {
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), field);
  if (error != std::errc() || rest != text.data() + text.size()) refuse(name, "a number", text);
}

}  // namespace

void set_player_field(SearchConfig& config, std::string_view name, std::string_view value) {
  bool known = false;
  std::string names;
  visit_fields(config, [&](std::string_view field_name, auto& field, const char*, FieldUse use) {
    if (use != FieldUse::kPlayer) return;
    names += (names.empty() ? "" : ", ") + std::string(field_name);
    if (field_name != name) return;
    known = true;
    parse(name, value, field);
  });
  if (known) return;
  throw InputError(ErrorKind::kUsage,
                   "unknown search setting '" + std::string(name) + "'; expected one of " + names);
}

}  // namespace awale::mcts
