#include "env/rules.hpp"

#include <array>
#include <charconv>

#include "env/error.hpp"

namespace awale::env {
namespace {

constexpr std::array<std::string_view, 4> kGrandSlamNames = {"no_capture", "illegal_unless_only",
                                                             "capture", "illegal"};
constexpr std::array<std::string_view, 2> kCaptureCountNames = {"2,3", "1,2"};
constexpr std::array<std::string_view, 2> kCannotFeedNames = {"ends", "plays_on"};
constexpr std::array<std::string_view, 3> kCutOffNames = {"own_row", "split", "captured"};
constexpr std::array<std::string_view, 2> kBoolNames = {"false", "true"};

RuleSet make_auale() {
  RuleSet rules;
  rules.name = "auale";
  rules.target_seeds = 0;
  rules.sweep_at_target = false;
  return rules;
}

RuleSet make_valencian() {
  RuleSet rules;
  rules.name = "valencian";
  rules.grand_slam = GrandSlam::kIllegalUnlessOnly;
  rules.sweep_at_target = false;
  return rules;
}

RuleSet make_wari_caribbean() {
  RuleSet rules;
  rules.name = "wari_caribbean";
  rules.capture_counts = CaptureCounts::kOneTwo;
  rules.target_seeds = 21;
  rules.sweep_at_target = false;
  return rules;
}

RuleSet make_beginner() {
  RuleSet rules;
  rules.name = "beginner";
  rules.must_feed = false;
  return rules;
}

RuleSet make_awari() {
  RuleSet rules;
  rules.name = "awari";
  rules.grand_slam = GrandSlam::kIllegalUnlessOnly;
  rules.cannot_feed = CannotFeed::kPlaysOn;
  rules.sweep_at_target = false;
  rules.repetition_score = CutOffScore::kSplit;
  rules.limit_score = CutOffScore::kSplit;
  return rules;
}

RuleSet make_openspiel() {
  RuleSet rules;
  rules.name = "openspiel";
  return rules;
}

RuleSet make_codingame() {
  RuleSet rules;
  rules.name = "codingame";
  rules.sweep_at_target = false;
  rules.repetition_occurrence = 0;
  rules.ply_limit = 200;
  rules.limit_score = CutOffScore::kCaptured;
  return rules;
}

const std::vector<RuleSet>& presets() {
  static const std::vector<RuleSet> all = {
      RuleSet{},       make_auale(), make_valencian(), make_wari_caribbean(),
      make_beginner(), make_awari(), make_openspiel(), make_codingame()};
  return all;
}

template <std::size_t kSize>
std::string join(const std::array<std::string_view, kSize>& names) {
  std::string text;
  for (const auto name : names)
    text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

[[noreturn]] void bad_value(std::string_view key, std::string_view value,
                            const std::string& expected) {
  throw InputError(ErrorKind::kUsage, "rules." + std::string(key) + ": expected " + expected +
                                          ", found '" + std::string(value) + "'");
}

template <typename Enum, std::size_t kSize>
Enum parse_name(std::string_view key, std::string_view value,
                const std::array<std::string_view, kSize>& names) {
  for (std::size_t i = 0; i < kSize; ++i) {
    if (names[i] == value) return static_cast<Enum>(i);
  }
  bad_value(key, value, "one of " + join(names));
}

int parse_count(std::string_view key, std::string_view value) {
  int number = 0;
  const auto* end = value.data() + value.size();
  const auto [rest, error] = std::from_chars(value.data(), end, number);
  if (error != std::errc() || rest != end) bad_value(key, value, "a whole number");
  return number;
}

template <typename Enum, std::size_t kSize>
std::string name_of(Enum value, const std::array<std::string_view, kSize>& names) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

void set_value(RuleSet& rules, std::string_view key, std::string_view value) {
  if (key == "name") {
    rules.name = value;
  } else if (key == "grand_slam") {
    rules.grand_slam = parse_name<GrandSlam>(key, value, kGrandSlamNames);
  } else if (key == "capture_counts") {
    rules.capture_counts = parse_name<CaptureCounts>(key, value, kCaptureCountNames);
  } else if (key == "must_feed") {
    rules.must_feed = parse_name<bool>(key, value, kBoolNames);
  } else if (key == "cannot_feed") {
    rules.cannot_feed = parse_name<CannotFeed>(key, value, kCannotFeedNames);
  } else if (key == "target_seeds") {
    rules.target_seeds = parse_count(key, value);
  } else if (key == "sweep_at_target") {
    rules.sweep_at_target = parse_name<bool>(key, value, kBoolNames);
  } else if (key == "repetition_occurrence") {
    rules.repetition_occurrence = parse_count(key, value);
  } else if (key == "repetition_score") {
    rules.repetition_score = parse_name<CutOffScore>(key, value, kCutOffNames);
  } else if (key == "ply_limit") {
    rules.ply_limit = parse_count(key, value);
  } else if (key == "limit_score") {
    rules.limit_score = parse_name<CutOffScore>(key, value, kCutOffNames);
  } else {
    throw InputError(ErrorKind::kUsage, "rules." + std::string(key) + ": no such rule parameter");
  }
}

void check_range(std::string_view key, int value, bool valid, const std::string& expected) {
  if (!valid) bad_value(key, std::to_string(value), expected);
}

}  // namespace

void RuleSet::validate() const {
  check_range("target_seeds", target_seeds,
              target_seeds == 0 || (target_seeds >= 1 && target_seeds <= 48), "0 (none) or 1..48");
  check_range(
      "repetition_occurrence", repetition_occurrence,
      repetition_occurrence == 0 || (repetition_occurrence >= 2 && repetition_occurrence <= 100),
      "0 (never) or 2..100");
  check_range("ply_limit", ply_limit, ply_limit >= 0 && ply_limit <= 60000,
              "0 (never) or 1..60000");
  if (repetition_occurrence == 0 && ply_limit == 0) {
    throw InputError(ErrorKind::kUsage,
                     "rules: repetition_occurrence = 0 and ply_limit = 0 together let a game go on "
                     "for ever; set one of them");
  }
}

bool RuleSet::same_game(const RuleSet& other) const {
  RuleSet renamed = other;
  renamed.name = name;
  return renamed == *this;
}

RuleSet preset(std::string_view name) {
  for (const auto& rules : presets()) {
    if (rules.name == name) return rules;
  }
  std::string names;
  for (const auto& known : preset_names())
    names += (names.empty() ? "" : ", ") + known;
  throw InputError(ErrorKind::kUsage,
                   "rules: no preset '" + std::string(name) + "'; there are " + names);
}

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& rules : presets())
    names.push_back(rules.name);
  return names;
}

std::vector<std::pair<std::string, std::string>> to_key_values(const RuleSet& rules) {
  return {
      {"name", rules.name},
      {"grand_slam", name_of(rules.grand_slam, kGrandSlamNames)},
      {"capture_counts", name_of(rules.capture_counts, kCaptureCountNames)},
      {"must_feed", name_of(rules.must_feed, kBoolNames)},
      {"cannot_feed", name_of(rules.cannot_feed, kCannotFeedNames)},
      {"target_seeds", std::to_string(rules.target_seeds)},
      {"sweep_at_target", name_of(rules.sweep_at_target, kBoolNames)},
      {"repetition_occurrence", std::to_string(rules.repetition_occurrence)},
      {"repetition_score", name_of(rules.repetition_score, kCutOffNames)},
      {"ply_limit", std::to_string(rules.ply_limit)},
      {"limit_score", name_of(rules.limit_score, kCutOffNames)},
  };
}

RuleSet from_key_values(const RuleSet& base,
                        const std::vector<std::pair<std::string, std::string>>& values) {
  RuleSet rules = base;
  for (const auto& [key, value] : values)
    set_value(rules, key, value);
  for (const auto& named : presets()) {
    if (rules.name == named.name && !rules.same_game(named)) rules.name = "custom";
  }
  return rules;
}

std::vector<std::pair<std::string, std::string>> differences(const RuleSet& rules) {
  const auto found = to_key_values(rules);
  const auto plain = to_key_values(RuleSet{});
  std::vector<std::pair<std::string, std::string>> different;
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i].second != plain[i].second) different.push_back(found[i]);
  }
  return different;
}

std::string describe(const RuleSet& rules) {
  std::string text;
  for (const auto& [key, value] : differences(rules))
    text += (text.empty() ? "" : ", ") + key + "=" + value;
  return text.empty() ? rules.name : rules.name + " (" + text + ")";
}

}  // namespace awale::env
