#include "training/series.hpp"

#include <set>

#include "env/error.hpp"
#include "env/final_score.hpp"
#include "mcts/players/random_player.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace env = awale::env;
using namespace awale::training;
using awale::ErrorKind;
using awale::test::contains;
using awale::test::error_of;

namespace {

PlayerFactory random_player(std::uint64_t seed) {
  return [seed] { return std::make_unique<awale::mcts::RandomPlayer>(seed); };
}

SeriesMatch play(const SeriesConfig& config, const env::RuleSet& rules = {}) {
  Progress progress("test", "series", static_cast<std::uint64_t>(config.series));
  return play_series(rules, config, random_player(1), random_player(2), progress);
}

bool first_begins(const SeriesGame& played) {
  return played.game.first_side == env::Side::kSouth;
}

// Over long before anybody can have more than 24 seeds.
env::RuleSet short_rules() {
  env::RuleSet rules;
  rules.ply_limit = 9;
  rules.limit_score = env::CutOffScore::kCaptured;
  return rules;
}

std::vector<std::string> moves_of(const SeriesMatch& match) {
  std::vector<std::string> moves;
  for (const auto& series : match.series) {
    for (const auto& played : series.games)
      moves.push_back(played.game.moves);
  }
  return moves;
}

}  // namespace

TEST_CASE("A point is scored for each whole seed above half of all") {
  CHECK(series_points(2 * 25) == 1);
  CHECK(series_points(2 * 48) == 24);
  CHECK(series_points(2 * 24) == 0);
  CHECK(series_points(2 * 24 + 1) == 0);  // half a seed more
  CHECK(series_points(2 * 26 + 1) == 2);
  CHECK(series_points(2 * 20) == 0);  // won, but with few
}

TEST_CASE("A series adds the winners' points up and ends at the score") {
  for (const char* name : {"abapa", "valencian", "awari"}) {
    const auto rules = env::preset(name);
    const auto match = play({.points = 30, .series = 20, .seed = 3}, rules);
    REQUIRE(match.series.size() == 20);
    for (const auto& series : match.series) {
      int first = 0;
      int second = 0;
      for (const auto& played : series.games) {
        CHECK(first < 30);
        CHECK(second < 30);
        const env::Game end = env::replay(rules, env::initial_board(), played.game.moves);
        const auto score = env::final_score(rules, end.board(), end.outcome().reason);
        const int south = std::max(0, score.south_half_seeds / 2 - 24);
        const int north = std::max(0, score.north_half_seeds / 2 - 24);
        first += first_begins(played) ? south : north;
        second += first_begins(played) ? north : south;
        CHECK(played.first_points == first);
        CHECK(played.second_points == second);
        CHECK(played.first_half_seeds - played.second_half_seeds ==
              2 * played.game.margin_first_seeds());
      }
      CHECK(series.winner == (first >= 30 ? SeriesWinner::kFirst : SeriesWinner::kSecond));
      CHECK(std::max(first, second) >= 30);
    }
  }
}

TEST_CASE("Lots decide who begins, then the players take turns, from each opening once") {
  const auto match = play({.points = 60, .series = 10, .seed = 5});
  std::set<std::string> openings;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < match.series.size(); ++i) {
    const auto& games = match.series[i].games;
    CHECK(first_begins(games[0]) == draw_lots(5, static_cast<int>(i)));
    for (std::size_t k = 0; k < games.size(); ++k) {
      const auto opening =
          games[k].game.moves.substr(0, static_cast<std::size_t>(games[k].game.opening_plies));
      CHECK(opening.size() == 6);
      if (k % 2 == 0) {
        openings.insert(opening);
        ++pairs;
        continue;
      }
      CHECK(first_begins(games[k]) != first_begins(games[k - 1]));
      CHECK(games[k - 1].game.moves.substr(0, opening.size()) == opening);
    }
  }
  CHECK(openings.size() == pairs);
}

TEST_CASE("Lots are fair and differ with the seed") {
  int first = 0;
  int different = 0;
  for (int series = 0; series < 1000; ++series) {
    first += draw_lots(1, series) ? 1 : 0;
    different += draw_lots(1, series) != draw_lots(2, series) ? 1 : 0;
  }
  CHECK(first == Approx(500).margin(50));
  CHECK(different == Approx(500).margin(50));
}

TEST_CASE("Without opening plies games begin at the start position") {
  const auto match = play({.points = 30, .series = 3, .opening_plies = 0});
  for (const auto& series : match.series) {
    for (const auto& played : series.games)
      CHECK(played.game.opening_plies == 0);
  }
}

TEST_CASE("Series do not depend on the number of threads") {
  const SeriesConfig config{.points = 20, .series = 100, .seed = 2, .threads = 1};
  SeriesConfig threads = config;
  threads.threads = 3;
  const auto moves = moves_of(play(config));
  CHECK(moves == moves_of(play(threads)));
  SeriesConfig other = config;
  other.seed = 4;
  CHECK(moves != moves_of(play(other)));
}

TEST_CASE("Fewer series are the first of more, as far as their first games go") {
  const auto few = play({.points = 20, .series = 3, .opening_plies = 0});
  const auto more = play({.points = 20, .series = 5, .opening_plies = 0});
  for (std::size_t i = 0; i < few.series.size(); ++i) {
    CHECK(few.series[i].games[0].game.moves == more.series[i].games[0].game.moves);
  }
}

TEST_CASE("A series of games without points is left undecided at the most games") {
  const auto match = play({.points = 1, .series = 2, .max_games = 5}, short_rules());
  for (const auto& series : match.series) {
    CHECK(series.games.size() == 5);
    CHECK(series.winner == SeriesWinner::kNobody);
    CHECK(series.games.back().first_points == 0);
    CHECK(series.games.back().second_points == 0);
  }
}

TEST_CASE("Too few openings are an error, not a repetition") {
  const SeriesConfig config{.points = 1000, .series = 1, .opening_plies = 1};
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { play(config); }),
                 "--opening-plies: no more openings of 1 ply, there are 6;"));
}

TEST_CASE("Series configs out of range are refused by name") {
  const auto refusal = [](const SeriesConfig& config) {
    return error_of(ErrorKind::kUsage, [&] { config.validate(); });
  };
  CHECK(contains(refusal({.points = 0}), "--points: expected 1.."));
  CHECK(contains(refusal({.series = 0}), "--series: expected 1.."));
  CHECK(contains(refusal({.max_games = 0}), "--max-games: expected 1.."));
  CHECK(contains(refusal({.threads = 0}), "--threads: expected 1.."));
  CHECK(contains(refusal({.opening_plies = -1}), "--opening-plies: expected 0.."));
}
