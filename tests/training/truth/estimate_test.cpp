#include "training/truth/estimate.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

using awale::training::Estimate;
using awale::training::estimate_mean;
using awale::training::estimate_share;
using awale::training::Sample;

namespace {

// `ones` of `n` samples are 1, each its own cluster.
std::vector<Sample> independent(int ones, int n) {
  std::vector<Sample> samples;
  for (int i = 0; i < n; ++i)
    samples.push_back({i < ones ? 1.0 : 0.0, static_cast<std::uint32_t>(i)});
  return samples;
}

}  // namespace

TEST_CASE("the interval of a share of independent positions is Wilson's") {
  // Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I, method 3.
  const Estimate many = estimate_share(independent(81, 263));
  CHECK(many.value == Approx(81 / 263.0));
  CHECK(many.low == Approx(0.2553).margin(5e-5));
  CHECK(many.high == Approx(0.3662).margin(5e-5));
  const Estimate few = estimate_share(independent(15, 148));
  CHECK(few.low == Approx(0.0624).margin(5e-5));
  CHECK(few.high == Approx(0.1605).margin(5e-5));
  const Estimate none = estimate_share(independent(0, 20));
  CHECK(none.low == 0);
  CHECK(none.high == Approx(0.1611).margin(5e-5));
}

TEST_CASE("positions of one game that are all alike count as one") {
  std::vector<Sample> samples;
  for (std::uint32_t game = 0; game < 20; ++game) {
    for (int i = 0; i < 10; ++i)
      samples.push_back({game < 5 ? 1.0 : 0.0, game});
  }
  const Estimate games = estimate_share(samples);
  const Estimate alone = estimate_share(independent(5, 20));
  CHECK(games.n == 200);
  CHECK(games.value == 0.25);
  CHECK(games.low == Approx(alone.low).margin(0.02));
  CHECK(games.high == Approx(alone.high).margin(0.02));
}

TEST_CASE("positions of a game that differ more than chance do not make an interval narrower") {
  std::vector<Sample> samples;
  for (std::uint32_t game = 0; game < 50; ++game) {
    samples.push_back({0, game});
    samples.push_back({1, game});
  }
  const Estimate alone = estimate_share(independent(50, 100));
  CHECK(estimate_share(samples).low == Approx(alone.low));
}

TEST_CASE("the interval of a mean is from the spread between clusters") {
  // Standard error of 1..5: sqrt(2.5 / 5).
  std::vector<Sample> samples;
  for (std::uint32_t i = 0; i < 5; ++i)
    samples.push_back({i + 1.0, i});
  const Estimate estimate = estimate_mean(samples);
  CHECK(estimate.value == 3);
  CHECK(estimate.high - 3 == Approx(1.959964 * std::sqrt(0.5)));
  CHECK(3 - estimate.low == Approx(1.959964 * std::sqrt(0.5)));
  // The same positions three times each: no more is known.
  auto thrice = samples;
  thrice.insert(thrice.end(), samples.begin(), samples.end());
  thrice.insert(thrice.end(), samples.begin(), samples.end());
  CHECK(estimate_mean(thrice).high == Approx(estimate.high));
}

TEST_CASE("where there is nothing to tell an estimate from, it is no number") {
  CHECK(std::isnan(estimate_share({}).value));
  CHECK(std::isnan(estimate_mean({}).value));
  const Estimate one = estimate_mean({{2, 7}, {4, 7}});
  CHECK(one.value == 3);
  CHECK(std::isnan(one.low));
}
