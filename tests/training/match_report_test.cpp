#include "training/match_report.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"

namespace env = awale::env;
using awale::training::make_report;
using awale::training::Match;
using awale::training::MatchGame;
using awale::training::MatchReport;
using awale::training::SprtTest;

namespace {

MatchGame game(env::Side first_side, const std::string& moves, int margin_south_seeds,
               env::EndReason reason = env::EndReason::kTarget) {
  return {first_side, 2, moves, {reason, margin_south_seeds}};
}

// Pairs: won twice; a win and a draw; won and lost with South's seat.
Match sample_match() {
  Match match;
  match.games = {game(env::Side::kSouth, "FfBe", 6),
                 game(env::Side::kNorth, "FfBd", -2),
                 game(env::Side::kSouth, "FeBb", 4),
                 game(env::Side::kNorth, "FeBc", 0, env::EndReason::kRepetition),
                 game(env::Side::kSouth, "AaBbCc", 10),
                 game(env::Side::kNorth, "AaBbCc", 10)};
  match.games[0].first_time = {4, 0.008};
  match.games[3].first_time = {5, 0.010};
  match.asked_games = 6;
  match.opening_set = 36;
  return match;
}

}  // namespace

TEST_CASE("A report counts for the first player, whichever side it had") {
  const MatchReport report = make_report(sample_match(), "one", "two");
  CHECK(report.games == 6);
  CHECK(report.wins == 4);
  CHECK(report.draws == 1);
  CHECK(report.losses == 1);
  CHECK(report.pairs.pairs == std::array<std::int64_t, 5>{0, 0, 1, 1, 1});
  CHECK(report.rating.points_percent == Approx(100 * 4.5 / 6));
  CHECK(report.mean_margin_seeds == Approx((6 + 2 + 4 + 0 + 10 - 10) / 6.0));
  CHECK(report.mean_plies == Approx(28 / 6.0));
  CHECK(report.first_ms_per_move == Approx(2));
  CHECK(report.second_ms_per_move == 0);
}

TEST_CASE("Games are distinct by moves and by who had which side") {
  Match match = sample_match();
  CHECK(make_report(match, "one", "two").distinct_games == 6);
  match.games[2].moves = match.games[0].moves;
  CHECK(make_report(match, "one", "two").distinct_games == 5);
}

TEST_CASE("A report as JSON has every number that a program asks for") {
  const auto json = to_json(make_report(sample_match(), "one", "two"));
  for (const char* key :
       {"games", "distinct_games", "wins", "draws", "losses", "points_percent",
        "points_percent_low", "points_percent_high", "elo", "elo_low", "elo_high"}) {
    CAPTURE(key);
    CHECK(json.at(key).is_number());
  }
  CHECK(json.at("pairs") == nlohmann::json({0, 0, 1, 1, 1}));
  CHECK(json.at("endings").at("repetition") == 1);
  CHECK(json.at("first") == "one");
}

TEST_CASE("A report as text") {
  const std::string text = to_text(make_report(sample_match(), "one", "two"));
  CHECK(text.find("one against two: 6 games, 6 distinct\nwon 4, drawn 1, lost 1;") == 0);
  CHECK(text.find("points 75.0 % [") != std::string::npos);
  CHECK(text.find("3/2, 2 points: 0, 0, 1, 1, 1\n") != std::string::npos);
  CHECK(text.find("openings drawn from 36\n") != std::string::npos);
  CHECK(text.find("stopped") == std::string::npos);
  CHECK(text.find("sprt") == std::string::npos);
}

TEST_CASE("A report says that a match was stopped, and what a test has come to") {
  Match match = sample_match();
  match.asked_games = 20;
  match.sprt = SprtTest({.elo0 = 0, .elo1 = 10});
  for (const int half_points : {4, 3, 2})
    match.sprt->add(half_points);
  const MatchReport report = make_report(match, "one", "two");
  const std::string text = to_text(report);
  CHECK(text.find("stopped: 6 of 20 games are in pairs that are over\n") != std::string::npos);
  CHECK(
      text.find("sprt Elo 0 against 10 (alpha 0.05, beta 0.05): undecided after 3 pairs, LLR 0.") !=
      std::string::npos);
  const auto json = to_json(report);
  CHECK(json.at("stopped") == true);
  CHECK(json.at("sprt").at("verdict") == "undecided");
  CHECK(json.at("sprt").at("upper_bound").get<double>() == Approx(2.944439));
}
