#include "training/alarms.hpp"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/temp_dir.hpp"
#include "training/metrics.hpp"

using namespace awale;
using namespace awale::training;
using Json = nlohmann::ordered_json;

namespace {

// A game of `plies` plies whose targets give the first of two moves the share `share`, and whose
// values are +-`value` in turn.
GameRecord game_of(int plies, double share, double value) {
  GameRecord game;
  for (int i = 0; i < plies; ++i) {
    PlyRecord ply;
    ply.policy[0] = static_cast<std::uint16_t>(std::lround(share * kPolicyUnits));
    ply.policy[3] = static_cast<std::uint16_t>(kPolicyUnits - ply.policy[0]);
    ply.network_value = static_cast<float>(i % 2 == 0 ? value : -value);
    game.plies.push_back(ply);
  }
  return game;
}

Json look(GameAlarms& alarms, double share, double value, std::uint64_t steps = 10'000) {
  alarms.add(game_of(2000, share, value));
  return alarms.look(steps);
}

Json names(std::initializer_list<const char*> list) {
  Json json = Json::array();
  for (const char* name : list)
    json.push_back(name);
  return json;
}

Json grade_of(int iteration, double lost) {
  return {
      {"iteration", iteration},
      {"truth",
       {{"positions", 1000}, {"at_stake", 600}, {"network_lost", 0.2}, {"search_64_lost", lost}}}};
}

}  // namespace

TEST_CASE("signals are the mean entropy of policy targets and the spread of values") {
  GameSignals signals;
  signals.add(game_of(500, 0.5, 0.25));
  CHECK(signals.plies() == 500);
  CHECK(signals.policy_entropy() == Approx(std::log(2.0)));
  CHECK(signals.value_spread() == Approx(0.25));
  auto fast = game_of(500, 0, 0.75);  // a value, no target
  for (auto& ply : fast.plies)
    ply.policy = {};
  signals.add(fast);
  auto unsearched = game_of(500, 1, 1);
  for (auto& ply : unsearched.plies)
    ply.flags = kUnsearchedPly;
  signals.add(unsearched);
  CHECK(signals.plies() == 500);
  CHECK(signals.policy_entropy() == Approx(std::log(2.0)));
  CHECK(signals.value_spread() == Approx(std::sqrt((0.0625 + 0.5625) / 2)));
}

TEST_CASE("a policy that collapses, slowly or suddenly, is an alarm") {
  const tests::TempDir dir;
  GameAlarms alarms({}, dir / "metrics.jsonl");
  for (int i = 0; i < 5; ++i)
    CHECK(look(alarms, 0.5, 0.5)["alarms"] == names({}));
  CHECK(look(alarms, 0.2, 0.5)["alarms"] == names({}));                   // 0.50 nats after 0.69
  CHECK(look(alarms, 0.05, 0.5)["alarms"] == names({"policy_entropy"}));  // 0.20 nats
  GameAlarms slow({}, dir / "metrics.jsonl");
  const auto collapsed = look(slow, 0.001, 0.5);
  CHECK(collapsed["alarms"] == names({"policy_entropy"}));
  CHECK(collapsed["policy_entropy"].get<double>() == Approx(0.0079).margin(1e-4));
}

TEST_CASE("values that do not differ are an alarm once the network should have learned") {
  const tests::TempDir dir;
  GameAlarms alarms({}, dir / "metrics.jsonl");
  CHECK(look(alarms, 0.5, 0.01, 499)["alarms"] == names({}));
  CHECK(look(alarms, 0.5, 0.01, 500)["alarms"] == names({"value_spread"}));
  CHECK(look(alarms, 0.5, 0.2, 500)["alarms"] == names({}));
  CHECK(look(alarms, 0.999, 0.0)["alarms"] == names({"policy_entropy", "value_spread"}));
}

TEST_CASE("few games are kept until they are enough") {
  const tests::TempDir dir;
  GameAlarms alarms({}, dir / "metrics.jsonl");
  alarms.add(game_of(600, 0.001, 0.5));
  CHECK(alarms.look(1000)["policy_entropy"].is_null());
  alarms.add(game_of(600, 0.001, 0.5));
  CHECK(alarms.look(1000)["alarms"] == names({"policy_entropy"}));
  CHECK(alarms.look(1000)["policy_entropy"].is_null());
}

TEST_CASE("a resumed run compares with what it was before") {
  const tests::TempDir dir;
  GameAlarms before({}, dir / "metrics.jsonl");
  for (int i = 0; i < 3; ++i)
    append_metrics(dir / "metrics.jsonl", look(before, 0.5, 0.5));
  GameAlarms resumed({}, dir / "metrics.jsonl");
  CHECK(look(resumed, 0.05, 0.5)["alarms"] == names({"policy_entropy"}));
  GameAlarms fresh({}, dir / "none.jsonl");
  CHECK(look(fresh, 0.05, 0.5)["alarms"] == names({}));
}

TEST_CASE("a grade three standard errors worse than the best is an alarm") {
  const tests::TempDir dir;
  GradeAlarms alarms({}, dir / "grades.jsonl");
  const auto look = [&](int iteration, double lost) {
    auto grade = grade_of(iteration, lost);
    alarms.look(grade);
    append_metrics(dir / "grades.jsonl", grade);
    return grade["alarms"];
  };
  CHECK(look(0, 0.10) == names({}));
  CHECK(look(1, 0.02) == names({}));
  CHECK(look(2, 0.045) == names({}));  // 2.4 standard errors
  CHECK(look(3, 0.06) == names({"search_64_lost"}));
  CHECK(look(4, 0.02) == names({}));
  GradeAlarms resumed({}, dir / "grades.jsonl");
  auto worse = grade_of(5, 0.06);
  resumed.look(worse);
  CHECK(worse["alarms"] == names({"search_64_lost"}));
  Json failed = {{"iteration", 6}, {"error", "gone"}};
  resumed.look(failed);
  CHECK_FALSE(failed.contains("alarms"));
}
