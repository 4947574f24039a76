#include "mcts/puct.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

namespace awale::mcts {
namespace {

constexpr float kUtilityMarginSeeds = 24.0F;  // half of all seeds

bool is_legal(env::LegalMask legal, int move) {
  return (legal >> move & 1) != 0;
}

// The logarithm of a gamma variate of shape `alpha` < 1 or not: Gamma(alpha) is
// Gamma(alpha + 1) * U^(1 / alpha) (Marsaglia and Tsang 2000, section 6). As logarithms, because
// for small alpha the variates themselves fall below the smallest double.
double log_gamma_variate(double alpha, env::RandomStream& stream) {
  std::gamma_distribution<double> gamma(alpha + 1);
  const double uniform = 1 - stream.uniform();  // in (0, 1]
  return std::log(gamma(stream)) + std::log(uniform) / alpha;
}

}  // namespace

float utility(float result, float margin_seeds, float margin_weight) {
  const float margin = std::clamp(margin_seeds / kUtilityMarginSeeds, -1.0F, 1.0F);
  return (1 - margin_weight) * result + margin_weight * margin;
}

float utility(const nn::Evaluation& evaluation, float margin_weight) {
  const float result = evaluation.win_draw_loss[0] - evaluation.win_draw_loss[2];
  return utility(result, evaluation.margin_seeds, margin_weight);
}

float terminal_utility(int final_margin_seeds, float margin_weight) {
  const int result = (final_margin_seeds > 0 ? 1 : 0) - (final_margin_seeds < 0 ? 1 : 0);
  return utility(static_cast<float>(result), static_cast<float>(final_margin_seeds), margin_weight);
}

std::array<float, env::kMoves> masked_softmax(const std::array<float, env::kMoves>& logits,
                                              env::LegalMask legal) {
  float highest = -std::numeric_limits<float>::infinity();
  for (int move = 0; move < env::kMoves; ++move) {
    if (is_legal(legal, move)) highest = std::max(highest, logits[move]);
  }
  std::array<float, env::kMoves> shares = {};
  float sum = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (is_legal(legal, move)) shares[move] = std::exp(logits[move] - highest);
    sum += shares[move];
  }
  for (float& share : shares)
    share /= sum;
  return shares;
}

float first_play_urgency(float mean_utility, float visited_prior_mass, float reduction) {
  return mean_utility - reduction * std::sqrt(visited_prior_mass);
}

float puct_score(float q, float prior, int edge_visits, int node_visits, float c_puct) {
  const float exploration = c_puct * std::sqrt(static_cast<float>(node_visits));
  return q + exploration * prior / static_cast<float>(1 + edge_visits);
}

env::Move select_move(const Node& node, const SearchConfig& config) {
  float visited_prior_mass = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    visited_prior_mass += node.visits[move] > 0 ? node.priors[move] : 0.0F;
  }
  const int node_visits = 1 + node.total_visits;
  const float unvisited_q = first_play_urgency(node.utility_sum / static_cast<float>(node_visits),
                                               visited_prior_mass, config.fpu_reduction);
  float best_score = -std::numeric_limits<float>::infinity();
  env::Move best = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    const int visits = node.visits[move];
    const float mean = node.value_sums[move] / static_cast<float>(std::max(visits, 1));
    const float q = visits > 0 ? mean : unvisited_q;
    const float score = puct_score(q, node.priors[move], visits, node_visits, config.c_puct);
    if (is_legal(node.legal, move) && score > best_score) {
      best_score = score;
      best = move;
    }
  }
  return best;
}

void add_dirichlet_noise(std::array<float, env::kMoves>& priors, env::LegalMask legal, float weight,
                         float total, env::RandomStream& stream) {
  const double alpha = double{total} / std::popcount(legal);
  std::array<double, env::kMoves> noise = {};
  double highest = -std::numeric_limits<double>::infinity();
  for (int move = 0; move < env::kMoves; ++move) {
    if (!is_legal(legal, move)) continue;
    noise[move] = log_gamma_variate(alpha, stream);
    highest = std::max(highest, noise[move]);
  }
  double sum = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    noise[move] = is_legal(legal, move) ? std::exp(noise[move] - highest) : 0.0;
    sum += noise[move];
  }
  for (int move = 0; move < env::kMoves; ++move) {
    const auto share = static_cast<float>(noise[move] / sum);
    priors[move] = (1 - weight) * priors[move] + weight * share;
  }
}

}  // namespace awale::mcts
