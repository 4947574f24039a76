#include "training/series_report.hpp"

#include <nlohmann/json.hpp>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace env = awale::env;
using namespace awale::training;
using awale::test::contains;

namespace {

SeriesGame game(bool first_begins, const std::string& moves, int first_seeds, int first_points,
                int second_points) {
  SeriesGame played;
  const int margin_first = 2 * first_seeds - 48;
  played.game.first_side = first_begins ? env::Side::kSouth : env::Side::kNorth;
  played.game.moves = moves;
  played.game.outcome = {env::EndReason::kTarget, first_begins ? margin_first : -margin_first};
  played.first_half_seeds = 2 * first_seeds;
  played.second_half_seeds = 2 * (48 - first_seeds);
  played.first_points = first_points;
  played.second_points = second_points;
  return played;
}

const Series kFirstWins = {
    {game(false, "FfBe", 18, 0, 6), game(true, "FfBd", 24, 0, 6), game(false, "FfBe", 34, 10, 6)},
    SeriesWinner::kFirst};
const Series kUndecided = {{game(true, "Aa", 24, 0, 0)}, SeriesWinner::kNobody};

SeriesReport report_of(const std::vector<Series>& series) {
  return make_report({.points = 10}, {series, {4, 0.008}, {}}, "one", "two");
}

}  // namespace

TEST_CASE("A report counts series and games") {
  Series second_wins = kFirstWins;
  second_wins.winner = SeriesWinner::kSecond;
  const auto report = report_of({kFirstWins, kFirstWins, second_wins, kUndecided});
  CHECK(report.first_wins == 2);
  CHECK(report.second_wins == 1);
  CHECK(report.undecided == 1);
  CHECK(report.games == 10);
  CHECK(report.drawn_games == 4);
  CHECK(report.distinct_games == 3);
  CHECK(report.wins_percent == Approx(200.0 / 3));
  // Wilson's interval of 2 in 3, worked by hand: (0.6667 + 0.6402) / 2.2805 -+ 0.3656
  CHECK(report.wins_percent_low == Approx(20.77).margin(0.02));
  CHECK(report.wins_percent_high == Approx(93.85).margin(0.02));
}

TEST_CASE("A single series is told game by game") {
  const std::string text = to_text(report_of({kFirstWins}));
  CHECK(contains(text, "A one\nB two\n"));
  CHECK(contains(text, "   1  B           18-30  B       target             0-6\n"));
  CHECK(contains(text, "   2  A           24-24  draw    target             0-6\n"));
  CHECK(contains(text, "   3  B           34-14  A       target            10-6\n"));
  CHECK(contains(text, "A, one, wins the series with 10 to 6 points after 3 games\n"));
  CHECK(contains(text, "3 games, 2 distinct, 1 drawn; time a move: 2.000 ms"));
}

TEST_CASE("Several series are told a line each, with the interval of who won how many") {
  const std::string text = to_text(report_of({kFirstWins, kUndecided}));
  CHECK(contains(text, "     1  B           3        10-6  A\n"));
  CHECK(contains(text, "     2  A           1         0-0  undecided\n"));
  CHECK(contains(text, "A won 1 series, B 0, undecided 1; A won 100.0 % ["));
}

TEST_CASE("An undecided series is said to be so, without an interval of nothing") {
  const auto report = report_of({kUndecided});
  CHECK(contains(to_text(report), "undecided at 0-0 after 1 game, as many as a series may have\n"));
  CHECK(to_json(report).at("wins_percent").is_null());
  CHECK_FALSE(contains(to_text(report_of({kUndecided, kUndecided})), "%"));
}

TEST_CASE("A report as JSON holds every game") {
  const auto json = to_json(report_of({kFirstWins, kUndecided}));
  CHECK(json.at("points") == 10);
  CHECK(json.at("first_wins") == 1);
  CHECK(json.at("undecided") == 1);
  CHECK(json.at("results").size() == 2);
  CHECK(json.at("results")[0].at("winner") == "first");
  CHECK(json.at("results")[1].at("winner").is_null());
  const auto& last = json.at("results")[0].at("games")[2];
  CHECK(last.at("begins") == "second");
  CHECK(last.at("first_seeds") == 34);
  CHECK(last.at("first_points") == 10);
  CHECK(last.at("moves") == "FfBe");
}
