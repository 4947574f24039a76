#include "training/gauntlet.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

namespace env = awale::env;
using awale::training::gauntlet_pairings;
using awale::training::GauntletReport;
using awale::training::make_report;
using awale::training::Match;
using awale::training::RatingListConfig;

namespace {

// Pairs of games in which the first player scores so many half points each.
Match match_of(const std::vector<std::pair<int, int>>& half_points) {
  Match match;
  match.asked_games = 2 * static_cast<int>(half_points.size());
  for (const auto& [south, north] : half_points) {
    match.games.push_back(
        {env::Side::kSouth, 0, "FfBe", {env::EndReason::kTarget, 4 * (south - 1)}});
    match.games.push_back(
        {env::Side::kNorth, 0, "FfBe", {env::EndReason::kTarget, 4 * (1 - north)}});
    match.games.back().first_time = {10, 0.02};
    match.games.back().second_time = {10, 0.05};
  }
  return match;
}

GauntletReport sample_report(const RatingListConfig& config = {}) {
  return make_report({"weak", "middle", "strong"}, gauntlet_pairings(3, true),
                     {match_of({{0, 1}, {1, 0}, {2, 0}}), match_of({{0, 0}, {0, 1}, {0, 0}}),
                      match_of({{0, 1}, {1, 1}, {0, 0}})},
                     config);
}

}  // namespace

TEST_CASE("The first meets all others, or everyone everyone") {
  using Pairings = std::vector<std::pair<int, int>>;
  CHECK(gauntlet_pairings(4, false) == Pairings{{0, 1}, {0, 2}, {0, 3}});
  CHECK(gauntlet_pairings(4, true) == Pairings{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}});
}

TEST_CASE("A gauntlet's report counts each player's games on both sides, the strongest first") {
  const GauntletReport report = sample_report();
  REQUIRE(report.players.size() == 3);
  CHECK(report.players[0].name == "strong");
  CHECK(report.players[1].name == "middle");
  CHECK(report.players[2].name == "weak");
  CHECK(report.players[2].games == 12);
  CHECK(report.players[2].points_percent == Approx(100 * 2.5 / 12));
  CHECK(report.players[0].points_percent == Approx(100 * (5.5 + 4.5) / 12));
  CHECK(report.players[0].draws_percent == Approx(100 * 4.0 / 12));
  CHECK(report.players[2].ms_per_move == Approx(2));
  CHECK(report.players[0].ms_per_move == Approx(5));
  CHECK(report.players[1].ms_per_move == Approx(3.5));
  CHECK(report.games == 18);
  CHECK_FALSE(report.stopped);
}

TEST_CASE("A gauntlet as text and as JSON") {
  const GauntletReport report = sample_report({.anchor = 1, .anchor_elo = 1500});
  const std::string text = to_text(report);
  CHECK(text.find("    2  middle   +1500  [+1500, +1500]       12") != std::string::npos);
  CHECK(text.find("Elo of middle is set to 1500; 95 % intervals of the difference\n") !=
        std::string::npos);
  const auto json = to_json(report);
  CHECK(json.at("anchor") == "middle");
  CHECK(json.at("players").at(0).at("name") == "strong");
  CHECK(json.at("players").at(1).at("elo") == 1500);
  CHECK(json.at("pairings").at(1).at("first") == "weak");
  CHECK(json.at("pairings").at(1).at("second") == "strong");
  CHECK(json.at("pairings").at(1).at("losses") == 5);
}

TEST_CASE("A gauntlet that was stopped says so and rates what there is") {
  Match begun = match_of({{2, 1}});
  begun.asked_games = 10;
  Match waiting;
  waiting.asked_games = 10;
  const auto report =
      make_report({"a", "b", "c"}, gauntlet_pairings(3, false), {begun, waiting}, {});
  CHECK(report.stopped);
  CHECK(report.pairings.size() == 1);
  CHECK(to_text(report).find("stopped: 2 of 20 games") != std::string::npos);
  CHECK(to_json(report).at("anchor").is_null());
}
