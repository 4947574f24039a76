// The sequential probability ratio test of two Elo hypotheses on pairs of games: play until the
// log-likelihood ratio (LLR) of H1 "the first player is elo1 stronger" against H0 "elo0 stronger"
// leaves the interval between Wald's bounds (Wald 1945, "Sequential tests of statistical
// hypotheses"): below ln(beta / (1 - alpha)) accept H0, above ln((1 - beta) / alpha) accept H1.
// Then H1 is accepted with probability alpha at most where H0 is true, and H0 with beta where H1
// is.
//
// The hypotheses speak of the expected score only, logistic Elo, so the LLR is the generalised one
// of Fishtest and fastchess: the likelihoods of the two distributions of pair scores (pentanomial)
// that are most likely among those with the expected score of H0 and of H1. Van den Bergh,
// "Comments on normalized Elo", proposition 1.1 (cantate.be/Fishtest/normalized_elo_practical.pdf);
// Fishtest server/fishtest/stats/LLRcalc.py; fastchess app/src/matchmaking/sprt/sprt.cpp.
//
// Pairs are tested one by one in their order, whichever ended first, so that the verdict does not
// depend on threads and long games do not count less. Not thread-safe.
#pragma once

#include <string>

#include "training/rating.hpp"

namespace awale::training {

struct SprtConfig {
  double elo0 = 0;
  double elo1 = 10;
  double alpha = 0.05;
  double beta = 0.05;

  double lower_bound() const;
  double upper_bound() const;
  // Throws InputError(kUsage) naming --sprt.
  void validate() const;
};

// "0,10,0.05,0.05" or "0,10" with alpha and beta as above. Throws InputError(kUsage).
SprtConfig parse_sprt(const std::string& text);

// Score expected of a player who is `elo` stronger, in (0, 1).
double score_from_elo(double elo);

// The LLR of elo1 against elo0. A count of 0 is taken as 0.001, as Fishtest does.
double log_likelihood_ratio(const PairCounts& counts, double elo0, double elo1);

enum class SprtVerdict { kUndecided, kH0, kH1 };

class SprtTest {
 public:
  explicit SprtTest(const SprtConfig& config) : config_(config) {}

  // The next pair, in which the first player took half_points/2 points. Not after a verdict.
  void add(int half_points);

  const SprtConfig& config() const { return config_; }
  const PairCounts& counts() const { return counts_; }
  double llr() const { return llr_; }
  SprtVerdict verdict() const { return verdict_; }

 private:
  SprtConfig config_;
  PairCounts counts_;
  double llr_ = 0;
  SprtVerdict verdict_ = SprtVerdict::kUndecided;
};

// "LLR 1.23 (-2.94, 2.94)".
std::string llr_text(const SprtTest& test);

}  // namespace awale::training
