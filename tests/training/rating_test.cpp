#include "training/rating.hpp"

#include <cmath>

#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/pair_model.hpp"

using awale::env::RandomPurpose;
using awale::env::RandomStream;
using awale::training::elo_from_score;
using awale::training::PairCounts;
using awale::training::rate;
using awale::training::Rating;

namespace {

// The share of simulated matches whose interval holds the true score.
double coverage(const std::array<double, 5>& shares, int pairs, std::uint64_t seed) {
  constexpr int kMatches = 2000;
  const double truth = 100 * awale::test::expected_score(shares);
  RandomStream random(seed, RandomPurpose::kTest, 0, 0);
  int hits = 0;
  for (int match = 0; match < kMatches; ++match) {
    const Rating rating = rate(awale::test::draw_pairs(shares, pairs, random));
    hits += rating.points_percent_low <= truth && truth <= rating.points_percent_high ? 1 : 0;
  }
  return static_cast<double>(hits) / kMatches;
}

double half_width_elo(const Rating& rating) {
  return (rating.elo_high - rating.elo_low) / 2;
}

}  // namespace

TEST_CASE("Elo of a score is the logistic scale's") {
  CHECK(elo_from_score(0.5) == Approx(0).margin(1e-12));
  CHECK(elo_from_score(10.0 / 11) == Approx(400));
  CHECK(elo_from_score(1.0 / 11) == Approx(-400));
  CHECK(elo_from_score(0.75) == Approx(190.8485).epsilon(1e-6));
}

// Counts and results published in fastchess's app/tests/elo_test.cpp; its two kinds of one-point
// pairs (win and loss, two draws) are one count here.
TEST_CASE("Elo and its error agree with fastchess on its worked examples") {
  struct Example {
    PairCounts counts;
    double elo;
    double error;
  };
  const std::array<Example, 3> examples = {{
      {{{34, 54, 31 + 32, 64, 75}}, 55.58, 27.65},
      {{{332, 433, 457 + 41, 333, 334}}, -8.64, 10.33},
      {{{7895, 8757, 5485 + 200, 568, 9999}}, -21.04, 2.95},
  }};
  for (const auto& example : examples) {
    const Rating rating = rate(example.counts);
    CHECK(rating.elo == Approx(example.elo).margin(0.01));
    CHECK(half_width_elo(rating) == Approx(example.error).epsilon(0.015));
  }
}

TEST_CASE("A lone pair of draws is even and proves little") {
  const Rating rating = rate({{0, 0, 1, 0, 0}});
  CHECK(rating.points_percent == 50);
  CHECK(rating.elo == Approx(0).margin(1e-12));
  CHECK(rating.points_percent_low < 20);
  CHECK(rating.points_percent_high > 80);
}

TEST_CASE("All points: Wilson's bound below, finite Elo above") {
  const Rating rating = rate({{0, 0, 0, 0, 100}});
  CHECK(rating.points_percent == 100);
  // n / (n + z^2)
  CHECK(rating.points_percent_low == Approx(100 * 100 / (100 + 3.841458821)).epsilon(1e-9));
  CHECK(rating.points_percent_high == Approx(100));
  // Half a point of 200 is kept back.
  CHECK(rating.elo == Approx(elo_from_score(199.5 / 200)));
  CHECK(rating.elo_high == rating.elo);
  CHECK(rating.elo_low < rating.elo);
}

TEST_CASE("No points mirrors all points") {
  const Rating won = rate({{0, 0, 0, 0, 7}});
  const Rating lost = rate({{7, 0, 0, 0, 0}});
  CHECK(lost.points_percent == 0);
  CHECK(lost.points_percent_high == Approx(100 - won.points_percent_low));
  CHECK(lost.elo == Approx(-won.elo));
  CHECK(lost.elo_high == Approx(-won.elo_low));
}

TEST_CASE("Every result has finite numbers in order") {
  for (int lost = 0; lost <= 3; ++lost) {
    for (int even = 0; even <= 3; ++even) {
      for (int won = 0; won <= 3; ++won) {
        if (lost + even + won == 0) continue;
        const Rating rating = rate({{lost, even % 2, even, won % 2, won}});
        for (const double number : {rating.elo_low, rating.elo, rating.elo_high}) {
          CHECK(std::isfinite(number));
        }
        CHECK(rating.elo_low <= rating.elo);
        CHECK(rating.elo <= rating.elo_high);
        CHECK(rating.points_percent_low <= rating.points_percent);
        CHECK(rating.points_percent <= rating.points_percent_high);
      }
    }
  }
}

TEST_CASE("Pairs that split the point tell more than decided ones") {
  // Both 50 %; in the first every pair is 1-1, as when an opening decides its games.
  const Rating split = rate({{0, 0, 100, 0, 0}});
  const Rating decided = rate({{50, 0, 0, 0, 50}});
  CHECK(half_width_elo(split) < half_width_elo(decided) / 4);
}

TEST_CASE("The interval holds the true score in about 95 % of matches") {
  struct Truth {
    std::array<double, 5> shares;
    int pairs;
  };
  const std::array<Truth, 5> truths = {{
      {{0.20, 0.05, 0.50, 0.05, 0.20}, 50},
      {{0.02, 0.20, 0.56, 0.20, 0.02}, 100},
      {{0.05, 0.02, 0.30, 0.10, 0.53}, 20},
      {{0.01, 0.005, 0.10, 0.05, 0.835}, 100},
      {{0.00, 0.00, 0.03, 0.02, 0.95}, 100},
  }};
  std::uint64_t seed = 1;
  for (const auto& truth : truths) {
    const double covered = coverage(truth.shares, truth.pairs, seed++);
    CAPTURE(covered, truth.pairs);
    CHECK(covered >= 0.935);
    CHECK(covered <= 0.985);
  }
}

TEST_CASE("The interval holds whatever the draws, the openings and the difference") {
  std::uint64_t seed = 100;
  for (const double draws : {0.02, 0.3, 0.8}) {
    for (const double opening_elo : {0.0, 100.0, 400.0}) {
      for (const double elo : {0.0, 100.0}) {
        const auto shares = awale::test::pair_shares(elo, {draws, opening_elo});
        const double covered = coverage(shares, 100, seed++);
        CAPTURE(draws, opening_elo, elo, covered);
        CHECK(covered >= 0.935);
        CHECK(covered <= 0.975);
      }
    }
  }
}
