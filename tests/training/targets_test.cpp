#include "training/targets.hpp"

#include <cmath>
#include <limits>
#include <numeric>

#include "env/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/random_games.hpp"

using namespace awale;
using namespace awale::training;
using awale::test::contains;
using awale::test::error_of;

namespace {

// A game of alternating sides, South first, with the given search values; only what targets read.
GameRecord game_of(const std::vector<float>& root_values, int margin_south_seeds) {
  GameRecord game;
  game.outcome = {env::EndReason::kTarget, margin_south_seeds};
  env::Side side = env::Side::kSouth;
  for (const float value : root_values) {
    PlyRecord ply;
    ply.position.board.to_move = side;
    ply.position.ply = static_cast<std::uint16_t>(game.plies.size());
    ply.legal = 0b000011;
    ply.visits = {2, 2, 0, 0, 0, 0};
    ply.policy = {49152, 16384, 0, 0, 0, 0};  // not quite the sum of the units, as after rounding
    ply.root_value = value;
    ply.root_margin_seeds = 10 * value;
    game.plies.push_back(ply);
    side = env::opponent(side);
  }
  return game;
}

double win_minus_loss(const TrainingRow& row) {
  return row.win_draw_loss[0] - row.win_draw_loss[2];
}

}  // namespace

TEST_CASE("the last position's target is the outcome, seen from its mover") {
  const auto south_last = training_rows(game_of({0.1F, 0.2F, 0.3F}, 6), {});
  CHECK(south_last[2].win_draw_loss == std::array<float, 3>{1, 0, 0});
  CHECK(south_last[2].margin_seeds == 6);
  const auto north_last = training_rows(game_of({0.1F, 0.2F}, 6), {});
  CHECK(north_last[1].win_draw_loss == std::array<float, 3>{0, 0, 1});
  CHECK(north_last[1].margin_seeds == -6);
}

TEST_CASE("value and margin are mixed backwards along the game") {
  // Worked by hand with lambda = 0.9; South wins by 6.
  //   ply 2 (South): z = 1, margin 6
  //   ply 1 (North): z = 0.1 * 0.5 + 0.9 * -1     = -0.85,   margin = 0.1 * 5 + 0.9 * -6  = -4.9
  //   ply 0 (South): z = 0.1 * -0.2 + 0.9 * 0.85  = 0.745,   margin = 0.1 * -2 + 0.9 * 4.9 = 4.21
  TargetConfig config;
  config.lambda = 0.9;
  const auto rows = training_rows(game_of({-0.2F, 0.5F, 0.7F}, 6), config);
  REQUIRE(rows.size() == 3);
  CHECK(win_minus_loss(rows[0]) == Approx(0.745));
  CHECK(win_minus_loss(rows[1]) == Approx(-0.85));
  CHECK(win_minus_loss(rows[2]) == Approx(1.0));
  CHECK(rows[0].win_draw_loss[0] == Approx(0.8725));
  CHECK(rows[0].win_draw_loss[1] == 0);
  CHECK(rows[0].win_draw_loss[2] == Approx(0.1275));
  CHECK(rows[0].margin_seeds == Approx(4.21));
  CHECK(rows[1].margin_seeds == Approx(-4.9));
  CHECK(rows[2].margin_seeds == Approx(6.0));
}

TEST_CASE("lambda 1 is the outcome alone, lambda 0 the search alone") {
  TargetConfig config;
  config.lambda = 1;
  const auto outcomes = training_rows(game_of({-0.2F, 0.5F, 0.7F}, -4), config);
  CHECK(win_minus_loss(outcomes[0]) == -1);
  CHECK(win_minus_loss(outcomes[1]) == 1);
  CHECK(win_minus_loss(outcomes[2]) == -1);
  config.lambda = 0;
  const auto searches = training_rows(game_of({-0.2F, 0.5F, 0.7F}, -4), config);
  CHECK(win_minus_loss(searches[0]) == Approx(-0.2));
  CHECK(win_minus_loss(searches[1]) == Approx(0.5));
  CHECK(win_minus_loss(searches[2]) == -1);
}

TEST_CASE("a drawn game teaches draws, as far as the mix leaves room") {
  //   ply 1 (North): z = 0;   ply 0 (South): z = 0.1 * 0.5 + 0.9 * 0 = 0.05
  TargetConfig config;
  config.lambda = 0.9;
  const auto rows = training_rows(game_of({0.5F, 0.3F}, 0), config);
  CHECK(rows[1].win_draw_loss == std::array<float, 3>{0, 1, 0});
  CHECK(rows[0].win_draw_loss[0] == Approx(0.05));
  CHECK(rows[0].win_draw_loss[1] == Approx(0.95));
  CHECK(rows[0].win_draw_loss[2] == Approx(0.0).margin(1e-7));
}

TEST_CASE("the distribution keeps win minus loss and is one") {
  for (const bool drawn : {false, true}) {
    for (double value = -1; value <= 1; value += 0.125) {
      INFO("value " << value << ", drawn game " << drawn);
      const auto target = win_draw_loss_target(value, drawn);
      CHECK(target[0] - target[2] == Approx(value).margin(1e-6));
      CHECK(target[0] + target[1] + target[2] == Approx(1.0));
      for (const float probability : target)
        CHECK(probability >= 0);
    }
  }
  CHECK(win_draw_loss_target(0.5, false) == std::array<float, 3>{0.75F, 0, 0.25F});
  CHECK(win_draw_loss_target(-0.5, true) == std::array<float, 3>{0, 0.5F, 0.5F});
}

TEST_CASE("the policy target is the search's, not the share of the visits, and sums to 1") {
  const auto rows = training_rows(game_of({0}, 1), {});
  CHECK(rows[0].policy == std::array<float, 6>{0.75F, 0.25F, 0, 0, 0, 0});
  CHECK(rows[0].legal == 0b000011);
}

TEST_CASE("a ply of a fast search is a row without a policy target, its value as any other") {
  auto game = game_of({-0.2F, 0.5F, 0.7F}, 6);
  const auto full = training_rows(game, {});
  game.plies[1].flags = kFastSearch;
  game.plies[1].policy = {};
  const auto rows = training_rows(game, {});
  REQUIRE(rows.size() == 3);
  CHECK(count_rows(std::vector<GameRecord>{game}) == 3);
  CHECK(rows[1].policy == std::array<float, 6>{});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i].win_draw_loss == full[i].win_draw_loss);
    CHECK(rows[i].margin_seeds == full[i].margin_seeds);
    if (i != 1) CHECK(rows[i].policy == full[i].policy);
  }
}

TEST_CASE("rows know the real final margin of their mover and the plies left, openings counted") {
  auto game = game_of({-0.2F, 0.5F, 0.7F, 0.1F}, 6);
  game.plies[1].flags = kUnsearchedPly;
  game.rules_index = 2;
  auto rows = training_rows(game, {});
  REQUIRE(rows.size() == 3);
  CHECK(rows[1].rules == 2);
  CHECK(rows[0].final_margin_seeds == 6);
  CHECK(rows[1].final_margin_seeds == 6);
  CHECK(rows[2].final_margin_seeds == -6);
  CHECK(rows[0].plies_left == 4);
  CHECK(rows[1].plies_left == 2);
  CHECK(rows[2].plies_left == 1);
  game.adjudicated = true;  // stopped: nobody knows how long it would have gone on
  rows = training_rows(game, {});
  CHECK(rows[2].final_margin_seeds == -6);
  CHECK(rows[0].plies_left == 0);
}

TEST_CASE("opening plies are no rows and pass the target on unmixed") {
  auto game = game_of({0, 0, 0.5F, 0.7F}, 6);
  for (const int i : {0, 1}) {
    game.plies[i].flags = kUnsearchedPly;
    game.plies[i].visits = {};
  }
  const auto rows = training_rows(game, {});
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].position.ply == 2);
  CHECK(rows[1].position.ply == 3);
  CHECK(count_rows(std::vector<GameRecord>{game, game_of({0}, 1)}) == 3);

  // A searched ply before an opening one (never by self-play) still sees the whole outcome.
  game.plies[0].flags = 0;
  game.plies[0].visits = {1};
  TargetConfig config;
  config.lambda = 0.5;
  // ply 3 (North): -1; ply 2 (South): 0.25 + 0.5 = 0.75; ply 1: -0.75; ply 0: 0.5 * 0.75 = 0.375
  CHECK(win_minus_loss(training_rows(game, config)[0]) == Approx(0.375));
}

TEST_CASE("rows of real games are distributions over legal moves") {
  for (const auto& game : tests::random_games({}, 20)) {
    const auto rows = training_rows(game, {});
    CHECK(rows.size() == count_rows(std::vector<GameRecord>{game}));
    auto ply = game.plies.begin();
    for (const auto& row : rows) {
      while ((ply->flags & kUnsearchedPly) != 0)
        ++ply;
      const bool fast = (ply++->flags & kFastSearch) != 0;
      float sum = 0;
      for (int move = 0; move < env::kMoves; ++move) {
        sum += row.policy[move];
        if ((row.legal >> move & 1) == 0) REQUIRE(row.policy[move] == 0);
      }
      REQUIRE(sum == Approx(fast ? 0.0 : 1.0));
      REQUIRE(std::abs(row.margin_seeds) <= env::kSeeds);
      REQUIRE(row.win_draw_loss[0] + row.win_draw_loss[1] + row.win_draw_loss[2] == Approx(1.0));
    }
  }
}

TEST_CASE("lambda outside 0..1 is refused by name") {
  for (const double lambda : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()}) {
    TargetConfig config;
    config.lambda = lambda;
    CHECK(contains(error_of(ErrorKind::kUsage, [&] { config.validate(); }), "targets.lambda"));
  }
  TargetConfig{}.validate();
}
