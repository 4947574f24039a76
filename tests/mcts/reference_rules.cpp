#include "tests/mcts/reference_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "mcts/lanes.hpp"

namespace awale::test {
namespace {

// Tested by itself against the standard library.
float exponential(float x) {
  return mcts::exponential(mcts::all_lanes(x))[0];
}

GumbelNode gumbel_node(const ReferenceNode& node, const Certain& bounds, float margin_weight) {
  return {priors_of(node), values_of(node, bounds, 0, margin_weight), visits_of(node),
          pending_of(node), node.utility};
}

Numbers gumbel_bonus(const ReferenceNode& node, const GumbelNode& view, const Certain& bounds,
                     const mcts::SearchConfig& config) {
  const Numbers values = within(node, bounds, completed(view), config.margin_weight);
  return bonus(view, values, {config.c_visit, config.c_scale, config.visit_cap});
}

Numbers gumbel_policy(const ReferenceNode& node, const Certain& bounds,
                      const mcts::SearchConfig& config) {
  const GumbelNode view = gumbel_node(node, bounds, config.margin_weight);
  return improved(view, gumbel_bonus(node, view, bounds, config), exponential);
}

Numbers gumbel_scores(const ReferenceNode& root, const Certain& bounds,
                      const ReferenceRoot& search) {
  const GumbelNode view = gumbel_node(root, bounds, search.config.margin_weight);
  Numbers scores = gumbel_bonus(root, view, bounds, search.config);
  for (std::size_t move = 0; move < scores.size(); ++move)
    scores[move] = search.logits[move] + scores[move];
  return scores;
}

float puct_value_of_unvisited(const ReferenceNode& node, const mcts::SearchConfig& config) {
  Numbers came_back;
  Numbers visited_priors;
  for (const auto& edge : node.edges) {
    came_back.push_back(edge.total);
    visited_priors.push_back(edge.utilities.empty() ? 0.0F : edge.prior);
  }
  const float mean = (node.utility + add_up(came_back)) / (1 + add_up(visits_of(node)));
  return mean - config.fpu_reduction * std::sqrt(add_up(visited_priors));
}

// The score that a move would have with so many visits.
float puct_score(const ReferenceNode& node, const mcts::SearchConfig& config, float value,
                 float prior, float visits) {
  const float total = 1 + add_up(visits_of(node)) + add_up(pending_of(node));
  return value + config.c_puct * std::sqrt(total) * prior / (1 + visits);
}

Numbers puct_scores(const ReferenceNode& node, const Certain& bounds,
                    const mcts::SearchConfig& config) {
  const Numbers values =
      values_of(node, bounds, puct_value_of_unvisited(node, config), config.margin_weight);
  Numbers scores;
  for (std::size_t move = 0; move < values.size(); ++move) {
    const auto& edge = node.edges[move];
    scores.push_back(puct_score(node, config, values[move], edge.prior,
                                edge.visits() + static_cast<float>(edge.pending)));
  }
  return scores;
}

bool forcing(const mcts::SearchConfig& config) {
  return config.noise_weight > 0 && config.forced_playouts > 0;
}

float forced(const ReferenceEdge& edge, const mcts::SearchConfig& config, float simulations) {
  return std::sqrt(config.forced_playouts * edge.prior * simulations);
}

int choose_puct_root(const ReferenceNode& root, const mcts::SearchConfig& config) {
  const Certain bounds = certain(root, config.solve);
  const bool noise = config.noise_weight > 0;
  const auto allowed = noise ? contenders(root, bounds) : open_contenders(root, bounds);
  const float simulations = add_up(visits_of(root)) + add_up(pending_of(root));
  for (int move = 0; forcing(config) && move < env::kMoves; ++move) {
    const auto& edge = root.edges[move];
    const float visits = edge.visits() + static_cast<float>(edge.pending);
    if (allowed[move] && visits > 0 && visits < forced(edge, config, simulations)) return move;
  }
  return best_of(puct_scores(root, bounds, config), allowed);
}

Numbers pruned(const ReferenceNode& root, const Certain& bounds, const mcts::SearchConfig& config) {
  Numbers visits = visits_of(root);
  if (!forcing(config)) return visits;
  const int best = best_of(visits, std::vector<bool>(visits.size(), true));
  const float bar = puct_scores(root, bounds, config)[best];
  const Numbers values =
      values_of(root, bounds, puct_value_of_unvisited(root, config), config.margin_weight);
  for (int move = 0; move < env::kMoves; ++move) {
    const auto& edge = root.edges[move];
    if (move == best) continue;
    const int most = static_cast<int>(forced(edge, config, add_up(visits_of(root))));
    for (int taken = 0; taken < most && visits[move] > 0; ++taken) {
      if (puct_score(root, config, values[move], edge.prior, visits[move] - 1) >= bar) break;
      visits[move] -= 1;
    }
    if (visits[move] == 1) visits[move] = 0;
  }
  return visits;
}

// Certain wins if there are any; of a decided position only what is certain to be the best.
std::vector<bool> playable(const ReferenceNode& root, const Certain& bounds) {
  std::vector<bool> result = contenders(root, bounds);
  const int wanted = bounds.settled() ? bounds.node.lower : 1;
  if (bounds.node.lower < wanted || !bounds.known) return result;
  for (int move = 0; move < env::kMoves; ++move)
    result[move] = result[move] && bounds.moves[move].lower >= wanted;
  return result;
}

int most_visited(const Numbers& visits, std::vector<bool> allowed, const Numbers& ranks) {
  const float most = visits[best_of(visits, allowed)];
  for (std::size_t move = 0; move < visits.size(); ++move)
    allowed[move] = allowed[move] && visits[move] == most;
  return best_of(ranks, allowed);
}

// The best of the moves whose margin is certain, if it is no worse than `best`.
env::Move or_certain(const Certain& bounds, const std::vector<bool>& allowed, const Numbers& values,
                     env::Move best) {
  const auto certain_margin = [&](int move) {
    return bounds.moves[move].lower == bounds.moves[move].upper;
  };
  std::vector<bool> sure = allowed;
  for (int move = 0; move < env::kMoves; ++move)
    sure[move] = sure[move] && certain_margin(move);
  if (std::find(sure.begin(), sure.end(), true) == sure.end()) return best;
  const int found = best_of(values, sure);
  const bool better = values[found] > values[best];
  const bool as_good = values[found] == values[best] && !certain_margin(best);
  return better || as_good ? static_cast<env::Move>(found) : best;
}

float expected(const ReferenceNode& root, const std::array<float, env::kMoves>& policy,
               const std::array<float, env::kMoves>& values) {
  float weight = 0;
  float total = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (root.edges[move].utilities.empty()) continue;
    weight += policy[move];
    total += policy[move] * values[move];
  }
  return total / weight;
}

}  // namespace

float passed_up(const ReferenceNode& node, const Certain& bounds, const mcts::SearchConfig& config,
                int move, float value) {
  const auto weight = [&](int edge, float of) {
    const float likes = exponential(config.backup_sharpness * (of - 1));
    return static_cast<float>(node.edges[edge].visits()) * likes;
  };
  Numbers values = values_of(node, bounds, 0, config.margin_weight);
  Numbers last(values.size(), value);
  last = within(node, bounds, last, config.margin_weight);
  Numbers weights;
  Numbers weighted;
  for (std::size_t other = 0; other < values.size(); ++other) {
    const bool counts = static_cast<int>(other) != move;
    weights.push_back(counts ? weight(static_cast<int>(other), values[other]) : 0.0F);
    weighted.push_back(weights.back() * values[other]);
  }
  const float own = weight(move, last[move]);
  const float mean = (add_up(weighted) + own * last[move]) / (add_up(weights) + own);
  const float visits = add_up(visits_of(node));
  return (node.utility + visits * mean) / (1 + visits);
}

int choose_below_root(const ReferenceNode& node, const mcts::SearchConfig& config) {
  const Certain bounds = certain(node, config.solve);
  const auto allowed = open_contenders(node, bounds);
  if (config.algorithm == mcts::Algorithm::kPuct)
    return best_of(puct_scores(node, bounds, config), allowed);
  const GumbelNode view = gumbel_node(node, bounds, config.margin_weight);
  return most_wanting(
      view, explored(view, gumbel_policy(node, bounds, config), config.interior_exploration),
      allowed);
}

int choose_at_root(const ReferenceNode& root, const ReferenceRoot& search) {
  const mcts::SearchConfig& config = search.config;
  if (config.algorithm == mcts::Algorithm::kPuct) return choose_puct_root(root, config);
  const int legal =
      static_cast<int>(std::popcount(unsigned{root.game.legal()} & unsigned{root.searched}));
  const float started = add_up(visits_of(root)) + add_up(pending_of(root)) - add_up(search.earlier);
  const int due = due_visits(std::min(config.considered_moves, legal), search.simulations,
                             static_cast<int>(started));
  auto candidates = legal_of(root);
  for (int move = 0; move < env::kMoves; ++move) {
    const auto& edge = root.edges[move];
    candidates[move] = candidates[move] && edge.visits() + static_cast<float>(edge.pending) ==
                                               search.earlier[move] + static_cast<float>(due);
  }
  return best_of(gumbel_scores(root, certain(root, config.solve), search), candidates);
}

mcts::SearchResult reference_result(const ReferenceNode& root, const ReferenceRoot& search) {
  const mcts::SearchConfig& config = search.config;
  const Certain bounds = certain(root, config.solve);
  const Numbers values = values_of(root, bounds, 0, config.margin_weight);
  mcts::SearchResult result;
  result.legal = static_cast<env::LegalMask>(root.game.legal() & root.searched);
  for (int move = 0; move < env::kMoves; ++move) {
    if (!root.legal(move)) continue;
    const auto& edge = root.edges[move];
    const Range range = bounds.moves[move];
    result.visits[move] = static_cast<std::uint32_t>(edge.utilities.size());
    result.lower_seeds[move] = static_cast<std::int8_t>(range.lower);
    result.upper_seeds[move] = static_cast<std::int8_t>(range.upper);
    result.values[move] = values[move];
    if (edge.utilities.empty()) continue;
    const float mean =
        std::accumulate(edge.margins.begin(), edge.margins.end(), 0.0F) / edge.visits();
    result.margins_seeds[move] = std::fmin(std::fmax(mean, static_cast<float>(range.lower)),
                                           static_cast<float>(range.upper));
  }
  const bool puct = config.algorithm == mcts::Algorithm::kPuct;
  const Numbers weights = puct ? pruned(root, bounds, config) : gumbel_policy(root, bounds, config);
  const float total = puct ? std::accumulate(weights.begin(), weights.end(), 0.0F) : 1.0F;
  for (int move = 0; move < env::kMoves; ++move)
    result.policy[move] = weights[move] / total;
  const Numbers ranks = puct ? values : gumbel_scores(root, bounds, search);
  const auto allowed = playable(root, bounds);
  Numbers visits = visits_of(root);
  for (int move = 0; !puct && move < env::kMoves; ++move)
    visits[move] -= search.earlier[move];
  result.best = static_cast<env::Move>(most_visited(visits, allowed, ranks));
  if (!config.noisy() && bounds.known)
    result.best = or_certain(bounds, allowed, values, result.best);
  for (int move = 0; move < env::kMoves; ++move)
    result.playable |= allowed[move] ? 1 << move : 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (root.edges[move].utilities.empty()) continue;
    const auto [lower, upper] = bounds.moves[move];
    result.values[move] =
        std::fmin(std::fmax(result.values[move], utility_of_end(lower, config.margin_weight)),
                  utility_of_end(upper, config.margin_weight));
  }
  result.root_value = expected(root, result.policy, result.values);
  result.root_margin_seeds = expected(root, result.policy, result.margins_seeds);
  result.solved = bounds.known && bounds.settled();
  const auto [lower, upper] = bounds.node;
  result.root_value =
      std::fmin(std::fmax(result.root_value, utility_of_end(lower, config.margin_weight)),
                utility_of_end(upper, config.margin_weight));
  result.root_margin_seeds = std::fmin(
      std::fmax(result.root_margin_seeds, static_cast<float>(lower)), static_cast<float>(upper));
  return result;
}

}  // namespace awale::test
