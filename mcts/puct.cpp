#include "mcts/puct.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <random>

#include "mcts/utility.hpp"

namespace awale::mcts {
namespace {

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

struct Scores {
  Lanes values;  // of the edges
  Lanes priors;
  Lanes visits;  // with those on their way
  float exploration = 0;
};

Scores score_parts(const Node& node, const SearchConfig& config) {
  Scores parts;
  parts.priors = load(node.priors);
  parts.visits = load_counts(node.visits);
  const float visited_mass = sum(where_positive(parts.visits, parts.priors, Lanes{}));
  float node_visits = static_cast<float>(1 + node.total_visits);
  const float unvisited =
      first_play_urgency(node.mean_utility(), visited_mass, config.fpu_reduction);
  parts.values = edge_values(node, parts.visits, unvisited, config.margin_weight);
  if (config.leaves > 1) {
    const Lanes pending = load_counts(node.pending);
    parts.visits = parts.visits + pending;
    node_visits += sum(pending);
  }
  parts.exploration = exploration(node_visits, config.c_puct);
  return parts;
}

Lanes puct_scores(const Scores& parts) {
  return puct_score(parts.values, parts.priors, parts.visits, parts.exploration);
}

}  // namespace

std::array<float, env::kMoves> masked_softmax(const std::array<float, env::kMoves>& logits,
                                              env::LegalMask legal) {
  const Lanes values =
      where_in(legal, load(logits), all_lanes(-std::numeric_limits<float>::infinity()));
  const Lanes shares = where_in(legal, exponential(values - largest(values)), Lanes{});
  return store(shares / sum(shares));
}

Lanes within_bounds(const Node& node, Lanes values, float margin_weight) {
  auto bounded = store(values);
  for (int move = 0; move < env::kMoves; ++move) {
    if (!is_legal(node.legal, move)) continue;
    bounded[move] =
        std::clamp(bounded[move], terminal_utility(node.lower_seeds[move], margin_weight),
                   terminal_utility(node.upper_seeds[move], margin_weight));
  }
  return load(bounded);
}

env::LegalMask contenders(const Node& node) {
  if ((node.flags & Node::kBounded) == 0) return node.legal;
  const int certain = lower_bound_seeds(node);
  env::LegalMask mask = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (is_legal(node.legal, move) && node.upper_seeds[move] >= certain) mask |= 1 << move;
  }
  return mask;
}

env::LegalMask bounded_open_contenders(const Node& node) {
  const env::LegalMask mask = contenders(node);
  env::LegalMask open = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (is_legal(mask, move) && node.lower_seeds[move] < node.upper_seeds[move]) open |= 1 << move;
  }
  return open != 0 ? open : mask;
}

env::Move select_puct(const Node& node, const SearchConfig& config) {
  return best_lane(puct_scores(score_parts(node, config)), open_contenders(node));
}

env::Move select_puct_root(const Node& root, const SearchConfig& config) {
  if (config.noise_weight == 0) return select_puct(root, config);
  const Scores parts = score_parts(root, config);
  Lanes scores = puct_scores(parts);
  if (config.forced_playouts > 0) {
    const auto visits = store(parts.visits);
    const float simulations = sum(parts.visits);
    auto forced = store(scores);
    for (int move = 0; move < env::kMoves; ++move) {
      if (visits[move] > 0 &&
          visits[move] < forced_visits(root.priors[move], simulations, config.forced_playouts))
        forced[move] = std::numeric_limits<float>::infinity();
    }
    scores = load(forced);
  }
  return best_lane(scores, contenders(root));
}

std::array<float, env::kMoves> pruned_visits(const Node& root, const SearchConfig& config) {
  auto visits = store(load_counts(root.visits));
  if (config.forced_playouts == 0 || config.noise_weight == 0) return visits;
  const Scores parts = score_parts(root, config);
  const auto values = store(parts.values);
  const auto best =
      static_cast<std::size_t>(std::max_element(visits.begin(), visits.end()) - visits.begin());
  const float bar = store(puct_scores(parts))[best];
  const auto simulations = static_cast<float>(root.total_visits);
  for (std::size_t move = 0; move < visits.size(); ++move) {
    if (move == best || visits[move] == 0) continue;
    float removable = forced_visits(root.priors[move], simulations, config.forced_playouts);
    for (; removable >= 1 && visits[move] > 0; removable -= 1) {
      const float score =
          puct_score(values[move], root.priors[move], visits[move] - 1, parts.exploration);
      if (score >= bar) break;
      visits[move] -= 1;
    }
    if (visits[move] <= 1) visits[move] = 0;
  }
  return visits;
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
