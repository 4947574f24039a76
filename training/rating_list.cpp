#include "training/rating_list.hpp"

#include <Eigen/Dense>
#include <cmath>

#include "env/error.hpp"

namespace awale::training {
namespace {

constexpr double kZ = 1.959963984540054;  // 97.5 % quantile of the normal distribution
constexpr int kMostSteps = 200;
constexpr double kConverged = 1e-10;  // a step in units of strength

// Elo for a strength on the natural scale, where the odds are e^difference.
const double kEloPerStrength = 400 / std::log(10.0);

// A pairing in the units of the likelihood: pairs of games.
struct Meeting {
  int first = 0;
  int second = 0;
  double pairs = 0;        // played and virtual
  double score = 0;        // sum of the first player's pair scores, each in [0, 1]
  double information = 0;  // pairs, each weighed by its dispersion
};

std::vector<Meeting> to_meetings(int players, std::span<const PairingCounts> pairings,
                                 double virtual_games) {
  std::vector<int> degree(static_cast<std::size_t>(players));
  for (const auto& pairing : pairings) {
    ++degree.at(static_cast<std::size_t>(pairing.first));
    ++degree.at(static_cast<std::size_t>(pairing.second));
  }
  std::vector<Meeting> meetings;
  for (const auto& pairing : pairings) {
    const double share = (1.0 / degree[static_cast<std::size_t>(pairing.first)] +
                          1.0 / degree[static_cast<std::size_t>(pairing.second)]) /
                         2;
    const double drawn_pairs = virtual_games * share / 2;
    const auto pairs = static_cast<double>(pairing.counts.total());
    double score = drawn_pairs / 2;
    for (std::size_t i = 0; i < pairing.counts.pairs.size(); ++i)
      score += static_cast<double>(pairing.counts.pairs[i]) * static_cast<double>(i) / 4;
    meetings.push_back({pairing.first, pairing.second, pairs + drawn_pairs, score,
                        pairs * dispersion(pairing.counts) + drawn_pairs});
  }
  return meetings;
}

double expected(const Meeting& meeting, const Eigen::VectorXd& strength) {
  return 1 / (1 + std::exp(strength[meeting.second] - strength[meeting.first]));
}

double log_likelihood(const std::vector<Meeting>& meetings, const Eigen::VectorXd& strength) {
  double sum = 0;
  for (const auto& meeting : meetings) {
    const double difference = strength[meeting.first] - strength[meeting.second];
    sum -= meeting.score * std::log1p(std::exp(-difference)) +
           (meeting.pairs - meeting.score) * std::log1p(std::exp(difference));
  }
  return sum;
}

Eigen::VectorXd gradient(const std::vector<Meeting>& meetings, const Eigen::VectorXd& strength) {
  Eigen::VectorXd result = Eigen::VectorXd::Zero(strength.size());
  for (const auto& meeting : meetings) {
    const double surplus = meeting.score - meeting.pairs * expected(meeting, strength);
    result[meeting.first] += surplus;
    result[meeting.second] -= surplus;
  }
  return result;
}

// Sum over the meetings of weight * p (1 - p) x x^T, where x is 1 at the first player and -1 at the
// second: the negative curvature of the likelihood with the pairs as weights.
Eigen::MatrixXd spread(const std::vector<Meeting>& meetings, const Eigen::VectorXd& strength,
                       double Meeting::*weight) {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(strength.size(), strength.size());
  for (const auto& meeting : meetings) {
    const double p = expected(meeting, strength);
    const double value = meeting.*weight * p * (1 - p);
    result(meeting.first, meeting.first) += value;
    result(meeting.second, meeting.second) += value;
    result(meeting.first, meeting.second) -= value;
    result(meeting.second, meeting.first) -= value;
  }
  return result;
}

// The likelihood does not change when all get stronger; ones in this direction make it invertible
// and change nothing in the others.
Eigen::MatrixXd curvature(const std::vector<Meeting>& meetings, const Eigen::VectorXd& strength) {
  return (spread(meetings, strength, &Meeting::pairs).array() + 1).matrix();
}

// Newton's method; the likelihood is concave, steps that overshoot are halved.
Eigen::VectorXd most_likely(int players, const std::vector<Meeting>& meetings) {
  Eigen::VectorXd strength = Eigen::VectorXd::Zero(players);
  double value = log_likelihood(meetings, strength);
  for (int i = 0; i < kMostSteps; ++i) {
    Eigen::VectorXd step = curvature(meetings, strength).ldlt().solve(gradient(meetings, strength));
    double next = log_likelihood(meetings, strength + step);
    while (next < value && step.cwiseAbs().maxCoeff() > kConverged) {
      step /= 2;
      next = log_likelihood(meetings, strength + step);
    }
    if (step.cwiseAbs().maxCoeff() <= kConverged) break;
    strength += step;
    value = next;
  }
  return strength;
}

}  // namespace

std::vector<ListedRating> rate_list(int players, std::span<const PairingCounts> pairings,
                                    const RatingListConfig& config) {
  AWALE_CHECK(players >= 2, players << " players");
  const auto meetings = to_meetings(players, pairings, config.virtual_games);
  const Eigen::VectorXd strength = most_likely(players, meetings);
  const Eigen::MatrixXd inverse = curvature(meetings, strength).inverse();
  const Eigen::MatrixXd covariance =
      inverse * spread(meetings, strength, &Meeting::information) * inverse;
  // Ratings are differences to the anchor, or to the mean.
  Eigen::MatrixXd contrast = Eigen::MatrixXd::Identity(players, players);
  if (config.anchor) {
    contrast.col(*config.anchor).array() -= 1;
  } else {
    contrast.array() -= 1.0 / players;
  }
  const Eigen::VectorXd difference = contrast * strength;
  const Eigen::VectorXd variance = (contrast * covariance * contrast.transpose()).diagonal();
  std::vector<ListedRating> ratings;
  for (int i = 0; i < players; ++i) {
    const double elo = config.anchor_elo + kEloPerStrength * difference[i];
    const double half = kZ * kEloPerStrength * std::sqrt(std::max(0.0, variance[i]));
    ratings.push_back({elo, elo - half, elo + half});
  }
  return ratings;
}

}  // namespace awale::training
