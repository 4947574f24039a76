#include "env/rules_text.hpp"

#include <map>
#include <set>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What `key` means under abapa with some parameters changed.
std::string meaning(const KeyValues& changes, const std::string& key) {
  for (const auto& text : env::explain(env::from_key_values(env::RuleSet{}, changes))) {
    if (text.key == key) return text.meaning;
  }
  return "";
}

}  // namespace

TEST_CASE("every parameter is explained under its key and value") {
  const env::RuleSet rules = env::preset("awari");
  KeyValues explained;
  for (const auto& text : env::explain(rules)) {
    explained.emplace_back(text.key, text.value);
    CHECK_FALSE(text.meaning.empty());
    CHECK(text.meaning.back() != '.');
    CHECK_FALSE(std::string(env::parameter_help(text.key)).empty());
  }
  auto expected = to_key_values(rules);
  expected.erase(expected.begin());  // the name
  CHECK(explained == expected);
}

TEST_CASE("no two values of a parameter mean the same") {
  const std::map<std::string, std::vector<std::string>> values = {
      {"grand_slam", {"no_capture", "illegal_unless_only", "capture", "illegal"}},
      {"capture_counts", {"2,3", "1,2"}},
      {"must_feed", {"true", "false"}},
      {"cannot_feed", {"ends", "plays_on"}},
      {"target_seeds", {"0", "1", "21", "25"}},
      {"sweep_at_target", {"true", "false"}},
      {"repetition_occurrence", {"0", "2", "3"}},
      {"repetition_score", {"own_row", "split", "captured"}},
      {"ply_limit", {"0", "1", "200"}},
      {"limit_score", {"own_row", "split", "captured"}}};
  REQUIRE(values.size() == env::explain(env::RuleSet{}).size());
  for (const auto& [key, all] : values) {
    INFO(key);
    std::set<std::string> meanings;
    for (const auto& value : all)
      meanings.insert(meaning({{key, value}}, key));
    CHECK(meanings.size() == all.size());
  }
}

TEST_CASE("numbers stand in the sentence") {
  CHECK(meaning({{"target_seeds", "21"}}, "target_seeds") ==
        "the game ends as soon as a player has captured 21 seeds");
  CHECK(contains(meaning({{"repetition_occurrence", "3"}}, "repetition_occurrence"),
                 "occurs for the 3rd time"));
  CHECK(contains(meaning({{"ply_limit", "200"}}, "ply_limit"), "after 200 plies"));
}

TEST_CASE("a parameter that has no effect beside the others says so") {
  CHECK(contains(meaning({{"target_seeds", "0"}}, "sweep_at_target"), "no effect"));
  CHECK(contains(meaning({{"must_feed", "false"}}, "cannot_feed"), "no effect"));
  CHECK(contains(meaning({{"repetition_occurrence", "0"}}, "repetition_score"), "no effect"));
  CHECK(contains(meaning({{"ply_limit", "0"}}, "limit_score"), "no effect"));
  for (const auto& text : env::explain(env::RuleSet{}))
    CHECK_FALSE(contains(text.meaning, "no effect"));
}

TEST_CASE("every preset says where it comes from") {
  std::set<std::string> sources;
  for (const auto& name : env::preset_names())
    sources.insert(env::preset_source(name));
  CHECK(sources.size() == env::preset_names().size());
  CHECK(sources.count("") == 0);
}

TEST_CASE("ordinals") {
  CHECK(env::ordinal(1) == "1st");
  CHECK(env::ordinal(2) == "2nd");
  CHECK(env::ordinal(3) == "3rd");
  CHECK(env::ordinal(4) == "4th");
  CHECK(env::ordinal(10) == "10th");
  CHECK(env::ordinal(11) == "11th");
  CHECK(env::ordinal(12) == "12th");
  CHECK(env::ordinal(13) == "13th");
  CHECK(env::ordinal(22) == "22nd");
  CHECK(env::ordinal(100) == "100th");
}

}  // namespace awale::test
