#include "env/rules.hpp"

#include <algorithm>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::RuleSet;
using KeyValues = std::vector<std::pair<std::string, std::string>>;

std::string value_error(const std::string& key, const std::string& value) {
  return error_of(ErrorKind::kUsage, [&] {
    env::from_key_values(RuleSet{}, KeyValues{{key, value}});
  });
}

std::string range_error(const RuleSet& rules) {
  return error_of(ErrorKind::kUsage, [&] { rules.validate(); });
}

// grand_slam capture_counts must_feed cannot_feed target sweep repetition score limit score
std::string row(const std::string& name) {
  std::string text;
  for (const auto& [key, value] : env::to_key_values(env::preset(name))) {
    if (key != "name") text += (text.empty() ? "" : " ") + value;
  }
  return text;
}

}  // namespace

TEST_CASE("the presets are those of the rule texts, abapa first") {
  CHECK(env::preset_names() == std::vector<std::string>{"abapa", "auale", "valencian",
                                                        "wari_caribbean", "beginner", "awari",
                                                        "openspiel", "codingame"});
  CHECK(row("abapa") == "no_capture 2,3 true ends 25 true 2 own_row 1000 own_row");
  CHECK(row("auale") == "no_capture 2,3 true ends 0 false 2 own_row 1000 own_row");
  CHECK(row("valencian") == "illegal_unless_only 2,3 true ends 25 false 2 own_row 1000 own_row");
  CHECK(row("wari_caribbean") == "no_capture 1,2 true ends 21 false 2 own_row 1000 own_row");
  CHECK(row("beginner") == "no_capture 2,3 false ends 25 true 2 own_row 1000 own_row");
  CHECK(row("awari") == "illegal_unless_only 2,3 true plays_on 25 false 2 split 1000 split");
  CHECK(row("openspiel") == row("abapa"));
  CHECK(row("codingame") == "no_capture 2,3 true ends 25 false 0 own_row 200 captured");
}

TEST_CASE("every preset is valid and survives the round trip through keys and values") {
  for (const auto& name : env::preset_names()) {
    INFO(name);
    const RuleSet rules = env::preset(name);
    CHECK(range_error(rules).empty());
    const RuleSet read = env::from_key_values(RuleSet{}, to_key_values(rules));
    CHECK(read.name == name);
    CHECK(read.same_game(rules));
  }
}

TEST_CASE("every value of every parameter survives the round trip") {
  const KeyValues all = {{"grand_slam", "no_capture"},
                         {"grand_slam", "illegal_unless_only"},
                         {"grand_slam", "capture"},
                         {"grand_slam", "illegal"},
                         {"capture_counts", "2,3"},
                         {"capture_counts", "1,2"},
                         {"must_feed", "true"},
                         {"must_feed", "false"},
                         {"cannot_feed", "ends"},
                         {"cannot_feed", "plays_on"},
                         {"target_seeds", "0"},
                         {"target_seeds", "21"},
                         {"sweep_at_target", "true"},
                         {"sweep_at_target", "false"},
                         {"repetition_occurrence", "0"},
                         {"repetition_occurrence", "3"},
                         {"repetition_score", "own_row"},
                         {"repetition_score", "split"},
                         {"repetition_score", "captured"},
                         {"ply_limit", "0"},
                         {"ply_limit", "200"},
                         {"limit_score", "own_row"},
                         {"limit_score", "split"},
                         {"limit_score", "captured"}};
  for (const auto& pair : all) {
    INFO(pair.first << " = " << pair.second);
    const auto found = to_key_values(env::from_key_values(RuleSet{}, KeyValues{pair}));
    CHECK(std::find(found.begin(), found.end(), pair) != found.end());
  }
}

TEST_CASE("a preset whose parameters were changed is called custom") {
  const RuleSet changed = env::from_key_values(env::preset("awari"), {{"ply_limit", "500"}});
  CHECK(changed.name == "custom");
  CHECK_FALSE(changed.same_game(env::preset("awari")));
  CHECK(env::from_key_values(env::preset("awari"), {{"ply_limit", "1000"}}).name == "awari");
  CHECK(env::from_key_values(changed, {{"name", "house"}}).name == "house");
}

TEST_CASE("rules are the same game when all but the name is equal") {
  CHECK(env::preset("abapa").same_game(env::preset("openspiel")));
  CHECK_FALSE(env::preset("abapa").same_game(env::preset("valencian")));
}

TEST_CASE("rules are described by what differs from abapa") {
  CHECK(describe(RuleSet{}) == "abapa");
  CHECK(describe(env::preset("beginner")) == "beginner (must_feed=false)");
  CHECK(describe(env::preset("auale")) == "auale (target_seeds=0, sweep_at_target=false)");
}

TEST_CASE("what differs from abapa is given as keys and values") {
  CHECK(env::differences(env::preset("openspiel")).empty());
  CHECK(env::differences(env::preset("auale")) ==
        KeyValues{{"target_seeds", "0"}, {"sweep_at_target", "false"}});
}

TEST_CASE("an unknown preset is refused with the names there are") {
  const auto error = error_of(ErrorKind::kUsage, [] { env::preset("kalah"); });
  CHECK(error ==
        "rules: no preset 'kalah'; there are abapa, auale, valencian, wari_caribbean, beginner, "
        "awari, openspiel, codingame");
}

TEST_CASE("an unknown key or value is refused with what was expected") {
  CHECK(value_error("grandslam", "capture") == "rules.grandslam: no such rule parameter");
  CHECK(value_error("grand_slam", "never") ==
        "rules.grand_slam: expected one of no_capture, illegal_unless_only, capture, illegal, "
        "found 'never'");
  CHECK(value_error("capture_counts", "2") ==
        "rules.capture_counts: expected one of 2,3, 1,2, found '2'");
  CHECK(contains(value_error("must_feed", "yes"), "rules.must_feed: expected one of"));
  CHECK(contains(value_error("cannot_feed", ""), "rules.cannot_feed: expected one of"));
  CHECK(contains(value_error("sweep_at_target", "1"), "rules.sweep_at_target: expected one of"));
  CHECK(value_error("target_seeds", "25x") ==
        "rules.target_seeds: expected a whole number, found '25x'");
  CHECK(contains(value_error("repetition_occurrence", ""), "expected a whole number"));
  CHECK(contains(value_error("repetition_score", "half"), "expected one of own_row, split"));
  CHECK(contains(value_error("ply_limit", "99999999999"), "expected a whole number"));
  CHECK(contains(value_error("limit_score", "half"), "expected one of own_row, split"));
}

TEST_CASE("values out of range are refused with the name of the field") {
  const auto with = [](int RuleSet::*field, int value) {
    RuleSet rules;
    rules.*field = value;
    return range_error(rules);
  };
  CHECK(with(&RuleSet::target_seeds, -1) ==
        "rules.target_seeds: expected 0 (none) or 1..48, found '-1'");
  CHECK(contains(with(&RuleSet::target_seeds, 49), "rules.target_seeds"));
  CHECK(with(&RuleSet::target_seeds, 48).empty());
  CHECK(contains(with(&RuleSet::repetition_occurrence, 1), "rules.repetition_occurrence"));
  CHECK(contains(with(&RuleSet::repetition_occurrence, 101), "rules.repetition_occurrence"));
  CHECK(contains(with(&RuleSet::ply_limit, -1), "rules.ply_limit"));
  CHECK(contains(with(&RuleSet::ply_limit, 60001), "rules.ply_limit"));
  CHECK(with(&RuleSet::ply_limit, 0).empty());
}

TEST_CASE("a game that could go on for ever is refused") {
  RuleSet rules;
  rules.repetition_occurrence = 0;
  rules.ply_limit = 0;
  CHECK(contains(range_error(rules), "set one of them"));
}

}  // namespace awale::test
