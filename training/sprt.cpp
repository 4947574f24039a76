#include "training/sprt.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <sstream>

#include "env/error.hpp"
#include "training/format_text.hpp"

namespace awale::training {
namespace {

constexpr double kMostElo = 2000;
constexpr double kZeroCount = 1e-3;

using Distribution = std::array<double, 5>;  // of the pair scores 0, 1/4, 1/2, 3/4, 1

double score(std::size_t i) {
  return static_cast<double>(i) / 4;
}

// Proposition 1.1: among the distributions with expected score `s` in (0, 1) the one that makes
// `seen` most likely is seen_i / (1 + theta (score_i - s)) with the theta for which the sum of
// seen_i (score_i - s) / (1 + theta (score_i - s)) is 0. The sum falls in theta.
Distribution most_likely(const Distribution& seen, double s) {
  double low = -1 / (1 - s);
  double high = 1 / s;
  for (;;) {
    const double theta = (low + high) / 2;
    if (theta <= low || theta >= high) break;  // no number between them
    double sum = 0;
    for (std::size_t i = 0; i < seen.size(); ++i)
      sum += seen[i] * (score(i) - s) / (1 + theta * (score(i) - s));
    (sum > 0 ? low : high) = theta;
  }
  Distribution result;
  for (std::size_t i = 0; i < seen.size(); ++i)
    result[i] = seen[i] / (1 + (low + high) / 2 * (score(i) - s));
  return result;
}

[[noreturn]] void refuse(const std::string& expected, const std::string& found) {
  throw InputError(ErrorKind::kUsage, "--sprt: expected " + expected + ", found " + found);
}

std::string number_text(double number) {
  return format_text("%g", number);
}

}  // namespace

double SprtConfig::lower_bound() const {
  return std::log(beta / (1 - alpha));
}

double SprtConfig::upper_bound() const {
  return std::log((1 - beta) / alpha);
}

void SprtConfig::validate() const {
  if (!(elo0 < elo1 && elo0 >= -kMostElo && elo1 <= kMostElo)) {
    refuse("elo0 below elo1, both in -2000..2000", number_text(elo0) + " and " + number_text(elo1));
  }
  if (!(alpha > 0 && beta > 0 && alpha + beta < 1)) {
    refuse("alpha and beta above 0, together below 1",
           number_text(alpha) + " and " + number_text(beta));
  }
}

SprtConfig parse_sprt(const std::string& text) {
  SprtConfig config;
  const std::array<double*, 4> fields = {&config.elo0, &config.elo1, &config.alpha, &config.beta};
  std::istringstream parts(text + ",");
  std::size_t count = 0;
  for (std::string part; std::getline(parts, part, ','); ++count) {
    const char* end = part.data() + part.size();
    const auto [rest, error] = count < fields.size()
                                   ? std::from_chars(part.data(), end, *fields[count])
                                   : std::from_chars_result{part.data(), std::errc()};
    if (error != std::errc() || rest != end || part.empty()) {
      refuse("elo0,elo1 or elo0,elo1,alpha,beta as in 0,10,0.05,0.05", "'" + text + "'");
    }
  }
  if (count != 2 && count != 4) {
    refuse("elo0,elo1 or elo0,elo1,alpha,beta as in 0,10,0.05,0.05", "'" + text + "'");
  }
  config.validate();
  return config;
}

double score_from_elo(double elo) {
  return 1 / (1 + std::pow(10, -elo / 400));
}

double log_likelihood_ratio(const PairCounts& counts, double elo0, double elo1) {
  Distribution seen;
  double total = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    seen[i] = counts.pairs[i] == 0 ? kZeroCount : static_cast<double>(counts.pairs[i]);
    total += seen[i];
  }
  for (double& share : seen)
    share /= total;
  const Distribution under0 = most_likely(seen, score_from_elo(elo0));
  const Distribution under1 = most_likely(seen, score_from_elo(elo1));
  double ratio = 0;
  for (std::size_t i = 0; i < seen.size(); ++i)
    ratio += seen[i] * std::log(under1[i] / under0[i]);
  return total * ratio;
}

void SprtTest::add(int half_points) {
  AWALE_CHECK(verdict_ == SprtVerdict::kUndecided, "a pair after the verdict");
  ++counts_.pairs.at(static_cast<std::size_t>(half_points));
  llr_ = log_likelihood_ratio(counts_, config_.elo0, config_.elo1);
  if (llr_ <= config_.lower_bound()) verdict_ = SprtVerdict::kH0;
  if (llr_ >= config_.upper_bound()) verdict_ = SprtVerdict::kH1;
}

std::string llr_text(const SprtTest& test) {
  return format_text("LLR %.2f (%.2f, %.2f)", test.llr(), test.config().lower_bound(),
                     test.config().upper_bound());
}

}  // namespace awale::training
