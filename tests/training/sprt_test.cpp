#include "training/sprt.hpp"

#include <cmath>

#include "env/random.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/pair_model.hpp"

using awale::ErrorKind;
using awale::env::RandomPurpose;
using awale::env::RandomStream;
using awale::test::error_of;
using awale::test::PairModel;
using awale::training::elo_from_score;
using awale::training::log_likelihood_ratio;
using awale::training::PairCounts;
using awale::training::parse_sprt;
using awale::training::score_from_elo;
using awale::training::SprtConfig;
using awale::training::SprtTest;
using awale::training::SprtVerdict;

namespace {

// The Elo at which pairs of the model score as logistic Elo `elo` says: openings that favour a side
// pull the score of a pair towards the middle.
double true_elo(double elo, const PairModel& model) {
  double low = -1000;
  double high = 1000;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const double score = awale::test::expected_score(awale::test::pair_shares(middle, model));
    (score < score_from_elo(elo) ? low : high) = middle;
  }
  return low;
}

struct Simulated {
  double h1_share = 0;    // of the tests
  double mean_pairs = 0;  // a test
};

Simulated simulate(const SprtConfig& config, double elo, const PairModel& model, int tests) {
  const auto shares = awale::test::pair_shares(true_elo(elo, model), model);
  RandomStream random(7, RandomPurpose::kTest, 0, 0);
  Simulated result;
  for (int i = 0; i < tests; ++i) {
    SprtTest test(config);
    while (test.verdict() == SprtVerdict::kUndecided)
      test.add(awale::test::draw_pair(shares, random));
    result.h1_share += test.verdict() == SprtVerdict::kH1 ? 1.0 / tests : 0;
    result.mean_pairs += static_cast<double>(test.counts().total()) / tests;
  }
  return result;
}

}  // namespace

TEST_CASE("The score that an Elo difference makes expected") {
  CHECK(score_from_elo(0) == 0.5);
  CHECK(score_from_elo(400) == Approx(10.0 / 11));
  CHECK(elo_from_score(score_from_elo(-123)) == Approx(-123));
}

// fastchess app/tests/sprt_test.cpp, "logistic pentanomial 1" and "2"; its two kinds of one-point
// pairs are one count here.
TEST_CASE("The LLR agrees with fastchess on its worked examples") {
  CHECK(log_likelihood_ratio({{223, 9863, 20279 + 1000, 10037, 246}}, 0.5, 2.5) ==
        Approx(-3.07).epsilon(0.01));
  CHECK(log_likelihood_ratio({{871, 26175, 55003 + 980, 26678, 821}}, 0, 2) ==
        Approx(-4.98).epsilon(0.01));
}

// With won and lost pairs only the constrained distributions are known without any search: this is
// Wald's test of a coin.
TEST_CASE("The LLR of decided pairs is that of a coin") {
  const double s0 = score_from_elo(10);
  const double s1 = score_from_elo(50);
  const double expected = 70 * std::log(s1 / s0) + 30 * std::log((1 - s1) / (1 - s0));
  CHECK(log_likelihood_ratio({{30, 0, 0, 0, 70}}, 10, 50) == Approx(expected).epsilon(1e-3));
}

// Van den Bergh's approximation for small differences, Fishtest's LLR_alt2:
// n (s1 - s0) (2 s - s0 - s1) / (2 variance).
TEST_CASE("The LLR is near its approximation where the hypotheses are close") {
  const PairCounts counts = {{100, 300, 500, 350, 120}};
  const auto n = static_cast<double>(counts.total());
  double mean = 0;
  double square = 0;
  for (std::size_t i = 0; i < 5; ++i) {
    const double share = static_cast<double>(counts.pairs[i]) / n;
    mean += share * static_cast<double>(i) / 4;
    square += share * static_cast<double>(i * i) / 16;
  }
  const double s0 = score_from_elo(2);
  const double s1 = score_from_elo(8);
  const double expected = n * (s1 - s0) * (2 * mean - s0 - s1) / (2 * (square - mean * mean));
  CHECK(log_likelihood_ratio(counts, 2, 8) == Approx(expected).epsilon(0.01));
}

TEST_CASE("The LLR mirrors with the players and the hypotheses") {
  const double ratio = log_likelihood_ratio({{3, 9, 40, 20, 7}}, 5, 15);
  CHECK(log_likelihood_ratio({{7, 20, 40, 9, 3}}, -15, -5) == Approx(-ratio).epsilon(1e-9));
  CHECK(log_likelihood_ratio({{3, 9, 40, 20, 7}}, 15, 5) == Approx(-ratio).epsilon(1e-9));
}

TEST_CASE("The LLR is finite whatever the counts and the hypotheses") {
  for (const auto& counts : {PairCounts{{1, 0, 0, 0, 0}}, PairCounts{{0, 0, 1, 0, 0}},
                             PairCounts{{0, 0, 0, 0, 100'000}}, PairCounts{}}) {
    for (const double elo : {-2000.0, -1.0, 0.0, 1.0, 1999.0})
      CHECK(std::isfinite(log_likelihood_ratio(counts, elo, elo + 1)));
  }
}

TEST_CASE("Wald's bounds") {
  const SprtConfig config = {.elo0 = 0, .elo1 = 5, .alpha = 0.05, .beta = 0.1};
  CHECK(config.lower_bound() == Approx(std::log(0.1 / 0.95)));
  CHECK(config.upper_bound() == Approx(std::log(0.9 / 0.05)));
}

TEST_CASE("The errors of a test are those that were asked for") {
  constexpr int kTests = 1000;
  // Two standard errors of a share of 0.05, and what ends of pairs add beyond the bounds.
  constexpr double kMost = 0.05 + 0.014 + 0.01;
  const SprtConfig config = {.elo0 = 0, .elo1 = 60, .alpha = 0.05, .beta = 0.05};
  for (const auto& model : {PairModel{0.05, 0}, PairModel{0.5, 0}, PairModel{0.1, 200}}) {
    CAPTURE(model.draws, model.opening_elo);
    const auto under0 = simulate(config, config.elo0, model, kTests);
    const auto under1 = simulate(config, config.elo1, model, kTests);
    CAPTURE(under0.h1_share, under1.h1_share, under0.mean_pairs);
    CHECK(under0.h1_share < kMost);
    CHECK(under0.h1_share > 0.02);  // a test that errs less plays more than it must
    CHECK(1 - under1.h1_share < kMost);
    CHECK(1 - under1.h1_share > 0.02);
  }
}

TEST_CASE("Unequal errors and a player that is clearly better or worse") {
  const SprtConfig config = {.elo0 = 0, .elo1 = 40, .alpha = 0.01, .beta = 0.2};
  const PairModel model = {0.3, 50};
  CHECK(simulate(config, 0, model, 1000).h1_share < 0.02);
  CHECK(simulate(config, 40, model, 1000).h1_share > 0.76);
  CHECK(simulate(config, -40, model, 300).h1_share == 0);
  const auto better = simulate(config, 120, model, 300);
  CHECK(better.h1_share > 0.99);
  CHECK(better.mean_pairs < simulate(config, 20, model, 300).mean_pairs / 2);
}

TEST_CASE("A test as text") {
  const SprtConfig config = parse_sprt("-1.5,3,0.01,0.1");
  CHECK(config.elo0 == -1.5);
  CHECK(config.elo1 == 3);
  CHECK(config.alpha == 0.01);
  CHECK(config.beta == 0.1);
  CHECK(parse_sprt("0,10").alpha == 0.05);
  SprtTest test(parse_sprt("0,10"));
  CHECK(llr_text(test) == "LLR 0.00 (-2.94, 2.94)");
}

TEST_CASE("Hypotheses and errors that make no test are refused") {
  const auto refusal = [](const char* text) {
    return error_of(ErrorKind::kUsage, [text] { parse_sprt(text); });
  };
  for (const char* text : {"", "5", "0,", "0,5,0.05", "0,5,0.05,0.05,1", "0,x", "0;5", "0,5,,"}) {
    CAPTURE(text);
    CHECK(refusal(text) ==
          "--sprt: expected elo0,elo1 or elo0,elo1,alpha,beta as in 0,10,0.05,0.05, found '" +
              std::string(text) + "'");
  }
  CHECK(refusal("5,5") == "--sprt: expected elo0 below elo1, both in -2000..2000, found 5 and 5");
  CHECK(refusal("0,inf").rfind("--sprt: expected elo0 below elo1", 0) == 0);
  CHECK(refusal("nan,5").rfind("--sprt: expected elo0 below elo1", 0) == 0);
  for (const char* text : {"0,5,0,0.05", "0,5,0.05,1", "0,5,0.5,0.5", "0,5,-1,0.05"})
    CHECK(refusal(text).rfind("--sprt: expected alpha and beta above 0, together below 1", 0) == 0);
}
