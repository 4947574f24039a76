#include "training/uci/uci_options.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "env/error.hpp"
#include "env/rules.hpp"

namespace awale::training {
namespace {

constexpr const char* kOwnRules = "own";     // those that the network was trained for
constexpr const char* kNothing = "<empty>";  // as UCI writes an empty string

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::string rules_line(const UciOptions& options) {
  std::string line = "option name Rules type combo default ";
  line += options.rules ? options.rules->name : kOwnRules;
  line += std::string(" var ") + kOwnRules;
  for (const auto& name : env::preset_names())
    line += " var " + name;
  return line;
}

std::string or_nothing(const std::string& text) {
  return text.empty() ? kNothing : text;
}

int number_in(const SetOption& option, int low, int high) {
  int number = 0;
  const char* end = option.value.data() + option.value.size();
  const auto [rest, error] = std::from_chars(option.value.data(), end, number);
  if (error == std::errc() && rest == end && number >= low && number <= high) return number;
  throw InputError(ErrorKind::kUsage, "option " + option.name + ": expected " +
                                          std::to_string(low) + ".." + std::to_string(high) +
                                          ", found '" + option.value + "'");
}

}  // namespace

std::vector<std::string> uci_option_lines(const UciOptions& options) {
  return {rules_line(options),
          "option name Checkpoint type string default " + or_nothing(options.checkpoint),
          "option name Table type string default " + or_nothing(options.table),
          "option name Threads type spin default " + std::to_string(options.threads) +
              " min 1 max " + std::to_string(kMostUciThreads),
          "option name Hash type spin default " + std::to_string(options.hash_mib) + " min 0 max " +
              std::to_string(kMostHashMib),
          "option name Ponder type check default true"};
}

bool apply(const SetOption& option, UciOptions& options) {
  const std::string name = lower(option.name);
  const std::string value = option.value == kNothing ? "" : option.value;
  if (name == "ponder") return false;  // the engine ponders when it is told to
  if (name == "rules") {
    options.rules.reset();
    if (lower(value) != kOwnRules) options.rules = env::preset(lower(value));
  } else if (name == "checkpoint") {
    options.checkpoint = value;
  } else if (name == "table") {
    options.table = value;
  } else if (name == "threads") {
    options.threads = number_in(option, 1, kMostUciThreads);
  } else if (name == "hash") {
    options.hash_mib = number_in(option, 0, kMostHashMib);
  } else {
    throw InputError(
        ErrorKind::kUsage,
        "setoption: expected Rules, Checkpoint, Table, Threads, Hash or Ponder, found '" +
            option.name + "'");
  }
  return true;
}

}  // namespace awale::training
