#include "training/rating_list.hpp"

#include <cmath>

#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/pair_model.hpp"

using awale::env::RandomPurpose;
using awale::env::RandomStream;
using awale::test::PairModel;
using awale::training::ListedRating;
using awale::training::PairCounts;
using awale::training::PairingCounts;
using awale::training::rate;
using awale::training::rate_list;
using awale::training::RatingListConfig;

namespace {

// Strength on the natural scale.
double strength(double elo) {
  return elo * std::log(10.0) / 400;
}

double standard_error(const ListedRating& rating) {
  return strength((rating.elo_high - rating.elo_low) / 2) / 1.959963984540054;
}

// All against all, `pairs` pairs each.
std::vector<PairingCounts> round_robin(const std::vector<double>& elos, const PairModel& model,
                                       int pairs, RandomStream& random) {
  std::vector<PairingCounts> pairings;
  for (int first = 0; first < std::ssize(elos); ++first) {
    for (int second = first + 1; second < std::ssize(elos); ++second) {
      const double difference =
          elos[static_cast<std::size_t>(first)] - elos[static_cast<std::size_t>(second)];
      const auto shares = awale::test::pair_shares(difference, model);
      pairings.push_back({first, second, awale::test::draw_pairs(shares, pairs, random)});
    }
  }
  return pairings;
}

}  // namespace

// The American League's eastern division of 1987: Agresti, "Categorical data analysis" (2002),
// table 10.10; strengths and standard errors as R's package BradleyTerry2 publishes them (Turner &
// Firth 2012, "Bradley-Terry models in R", section 2). A game here is a pair that was won or lost.
TEST_CASE("Strengths and errors agree with Bradley and Terry's model of baseball") {
  // Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore: wins of row over column.
  constexpr int kTeams = 7;
  constexpr int kWins[kTeams][kTeams] = {{0, 7, 9, 7, 7, 9, 11}, {6, 0, 7, 5, 11, 9, 9},
                                         {4, 6, 0, 7, 7, 8, 12}, {6, 8, 6, 0, 6, 7, 10},
                                         {6, 2, 6, 7, 0, 7, 12}, {4, 4, 5, 6, 6, 0, 6},
                                         {2, 4, 1, 3, 1, 7, 0}};
  std::vector<PairingCounts> pairings;
  for (int i = 0; i < kTeams; ++i) {
    for (int k = i + 1; k < kTeams; ++k)
      pairings.push_back({i, k, {{kWins[k][i], 0, 0, 0, kWins[i][k]}}});
  }
  const auto ratings = rate_list(kTeams, pairings, {.anchor = 6, .virtual_games = 0});
  constexpr double kStrengths[kTeams] = {1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0};
  constexpr double kErrors[kTeams] = {0.3433, 0.3396, 0.3367, 0.3359, 0.3339, 0.3319, 0};
  for (std::size_t i = 0; i < kTeams; ++i) {
    CAPTURE(i);
    CHECK(strength(ratings[i].elo) == Approx(kStrengths[i]).margin(1e-4));
    CHECK(standard_error(ratings[i]) == Approx(kErrors[i]).margin(1e-4));
  }
}

TEST_CASE("Two players are rated as by their match") {
  const PairCounts counts = {{10, 22, 60, 31, 27}};
  const auto match = rate(counts);
  const auto list = rate_list(2, std::vector<PairingCounts>{{0, 1, counts}}, {.anchor = 1});
  CHECK(list[0].elo == Approx(match.elo).epsilon(0.01));
  CHECK(list[0].elo_low == Approx(match.elo_low).epsilon(0.02));
  CHECK(list[0].elo_high == Approx(match.elo_high).epsilon(0.02));
  CHECK(list[1].elo == 0);
  CHECK(list[1].elo_low == Approx(0).margin(1e-9));
  CHECK(list[1].elo_high == Approx(0).margin(1e-9));
}

TEST_CASE("Without an anchor the mean is set, and the differences are the same") {
  RandomStream random(1, RandomPurpose::kTest, 0, 0);
  const auto pairings = round_robin({0, 50, 120}, {0.2, 30}, 100, random);
  const auto mean = rate_list(3, pairings, {.anchor_elo = 1000});
  const auto anchored = rate_list(3, pairings, {.anchor = 1, .anchor_elo = 7});
  CHECK((mean[0].elo + mean[1].elo + mean[2].elo) / 3 == Approx(1000));
  CHECK(anchored[1].elo == 7);
  CHECK(anchored[2].elo - anchored[0].elo == Approx(mean[2].elo - mean[0].elo));
}

TEST_CASE("The order of players and the sides of a pairing do not matter") {
  const std::vector<PairingCounts> pairings = {
      {0, 1, {{1, 2, 10, 8, 9}}}, {0, 2, {{9, 9, 9, 2, 1}}}, {1, 2, {{20, 4, 3, 0, 3}}}};
  const std::vector<PairingCounts> turned = {
      {1, 2, {{9, 8, 10, 2, 1}}}, {2, 0, {{9, 9, 9, 2, 1}}}, {0, 1, {{3, 0, 3, 4, 20}}}};
  const auto one = rate_list(3, pairings);
  const auto two = rate_list(3, turned);
  const std::array<std::size_t, 3> place = {2, 1, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(two[place[i]].elo == Approx(one[i].elo));
    CHECK(two[place[i]].elo_low == Approx(one[i].elo_low));
  }
}

TEST_CASE("Who has won or lost everything has a finite rating and a wide interval") {
  const std::vector<PairingCounts> pairings = {
      {0, 1, {{0, 0, 0, 0, 50}}}, {1, 2, {{10, 5, 20, 5, 10}}}, {0, 2, {{0, 0, 0, 0, 50}}}};
  const auto ratings = rate_list(3, pairings);
  CHECK(ratings[0].elo > 600);
  CHECK(ratings[0].elo < 2000);
  CHECK(ratings[0].elo_high - ratings[0].elo_low > 300);
  CHECK(ratings[1].elo == Approx(ratings[2].elo).margin(1));
  // The half point that a match keeps back.
  const auto two =
      rate_list(2, std::vector<PairingCounts>{{0, 1, {{0, 0, 0, 0, 50}}}}, {.anchor = 1});
  CHECK(two[0].elo == Approx(rate({{0, 0, 0, 0, 50}}).elo).epsilon(0.01));
}

TEST_CASE("Who has not played yet is rated as unknown") {
  const auto ratings =
      rate_list(3, std::vector<PairingCounts>{{0, 1, {{10, 0, 20, 0, 40}}}, {0, 2, {}}});
  CHECK(std::isfinite(ratings[2].elo));
  CHECK(ratings[2].elo_high - ratings[2].elo_low > 1000);
}

TEST_CASE("Ratings recover the true ones") {
  const std::vector<double> truth = {-300, -120, -40, 60, 150, 250};
  RandomStream random(3, RandomPurpose::kTest, 0, 0);
  for (const auto& model : {PairModel{0, 0}, PairModel{0.6, 0}}) {
    const auto ratings = rate_list(6, round_robin(truth, model, 20'000, random));
    for (std::size_t i = 0; i < truth.size(); ++i) {
      CAPTURE(i, model.draws);
      CHECK(ratings[i].elo == Approx(truth[i]).margin(4));
    }
  }
}

TEST_CASE("The intervals of a list hold the true ratings in about 95 % of lists") {
  constexpr int kLists = 1000;
  const std::vector<double> truth = {-150, -20, 40, 130};
  std::uint64_t seed = 0;
  // Openings that decide games pull all scores to the middle, which is no other rating for equals.
  struct Case {
    std::vector<double> truth;
    PairModel model;
  };
  for (const auto& [elos, model] :
       {Case{truth, {0.02, 0}}, Case{truth, {0.6, 0}}, Case{{0, 0, 0, 0}, {0.1, 300}}}) {
    RandomStream random(++seed, RandomPurpose::kTest, 0, 0);
    int mean_hits = 0;
    int anchored_hits = 0;
    for (int i = 0; i < kLists; ++i) {
      const auto pairings = round_robin(elos, model, 40, random);
      const auto mean = rate_list(4, pairings);
      const auto anchored = rate_list(4, pairings, {.anchor = 0, .anchor_elo = elos[0]});
      for (std::size_t k = 1; k < 4; ++k) {
        mean_hits += mean[k].elo_low <= elos[k] && elos[k] <= mean[k].elo_high ? 1 : 0;
        anchored_hits += anchored[k].elo_low <= elos[k] && elos[k] <= anchored[k].elo_high ? 1 : 0;
      }
    }
    CAPTURE(model.draws, model.opening_elo, mean_hits, anchored_hits);
    CHECK(mean_hits >= 0.935 * 3 * kLists);
    CHECK(mean_hits <= 0.975 * 3 * kLists);
    CHECK(anchored_hits >= 0.935 * 3 * kLists);
    CHECK(anchored_hits <= 0.975 * 3 * kLists);
  }
}
