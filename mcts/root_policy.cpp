#include "mcts/root_policy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "env/error.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/puct.hpp"
#include "mcts/utility.hpp"

namespace awale::mcts {
namespace {

using PerMove = std::array<float, env::kMoves>;
using Counts = std::array<std::uint16_t, env::kMoves>;

bool contains(env::LegalMask mask, int move) {
  return (mask >> move & 1) != 0;
}

// Of the moves in `mask` with the most `visits` that with the highest rank; of equal ones the
// lowest.
env::Move most_visited(const Node& node, env::LegalMask mask, const Counts& visits,
                       const PerMove& ranks) {
  const auto key = [&](env::Move move) { return std::tuple(visits[move], ranks[move]); };
  env::Move best = env::kNoMove;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (contains(mask, move) && (best == env::kNoMove || key(move) > key(best))) best = move;
  }
  AWALE_CHECK(best != env::kNoMove && node.visits[best] > 0,
              "no playable move of " << node.board << " has been visited");
  return best;
}

// Gumbel's halving says which move is best by the visits that it has given.
Counts new_visits(const Node& root, const RootSearch& search) {
  Counts visits = root.visits;
  for (std::size_t move = 0; move < visits.size(); ++move)
    visits[move] = static_cast<std::uint16_t>(visits[move] - search.earlier_visits[move]);
  return visits;
}

// `best`, or a move whose value is certain and not below that of `best`: it needs no visits.
env::Move or_certain_move(const Node& node, env::LegalMask mask, const PerMove& values,
                          env::Move best) {
  if ((node.flags & Node::kBounded) == 0) return best;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    const auto is_certain = [&](env::Move one) {
      return node.lower_seeds[one] == node.upper_seeds[one];
    };
    if (!contains(mask, move) || !is_certain(move)) continue;
    const bool better = values[move] > values[best];
    if (better || (values[move] == values[best] && !is_certain(best))) best = move;
  }
  return best;
}

PerMove shares_of(const PerMove& weights) {
  const float total = std::accumulate(weights.begin(), weights.end(), 0.0F);
  PerMove shares;
  for (std::size_t move = 0; move < shares.size(); ++move)
    shares[move] = weights[move] / total;
  return shares;
}

// Mean of the visited moves' values, weighted with the policy.
float expected(const PerMove& policy, const PerMove& values, const Node& root) {
  float weight = 0;
  float weighted = 0;
  for (std::size_t move = 0; move < values.size(); ++move) {
    const float share = root.visits[move] > 0 ? policy[move] : 0.0F;
    weight += share;
    weighted += share * values[move];
  }
  return weight > 0 ? weighted / weight : root.mean_utility();
}

// The numbers of the visited moves and of the root, kept within all that is certain: also what the
// stores say, which the search itself does not look at.
void report_within_bounds(const Node& root, const SearchConfig& config, SearchResult& result) {
  const auto utility_within = [&](float value, int lower, int upper) {
    return std::clamp(value, terminal_utility(lower, config.margin_weight),
                      terminal_utility(upper, config.margin_weight));
  };
  const auto margin_within = [](float margin, int lower, int upper) {
    return std::clamp(margin, static_cast<float>(lower), static_cast<float>(upper));
  };
  for (int move = 0; move < env::kMoves; ++move) {
    if (root.visits[move] == 0) continue;
    const int lower = root.lower_seeds[move];
    const int upper = root.upper_seeds[move];
    result.values[move] = utility_within(result.values[move], lower, upper);
    result.margins_seeds[move] = margin_within(result.margins_seeds[move], lower, upper);
  }
  const int lower = lower_bound_seeds(root);
  const int upper = upper_bound_seeds(root);
  result.root_value = utility_within(expected(result.policy, result.values, root), lower, upper);
  result.root_margin_seeds =
      margin_within(expected(result.policy, result.margins_seeds, root), lower, upper);
}

}  // namespace

env::LegalMask playable_moves(const Node& node) {
  const env::LegalMask best = contenders(node);
  if ((node.flags & Node::kBounded) == 0) return best;
  const bool solved = (node.flags & Node::kSolved) != 0;
  const int wanted_seeds = solved ? node.final_margin_seeds : 1;
  env::LegalMask certain = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (contains(best, move) && node.lower_seeds[move] >= wanted_seeds) certain |= 1 << move;
  }
  return certain != 0 ? certain : best;
}

env::Move most_visited_move(const Node& node, const SearchConfig& config) {
  const env::LegalMask mask = playable_moves(node);
  const auto values = store(edge_values(node, load_counts(node.visits), 0, config.margin_weight));
  return or_certain_move(node, mask, values, most_visited(node, mask, node.visits, values));
}

std::vector<env::Move> principal_variation(const Tree& tree, env::Move first,
                                           const SearchConfig& config, int max_plies) {
  std::vector<env::Move> moves;
  NodeIndex node = kRoot;
  while (static_cast<int>(moves.size()) < max_plies && tree[node].total_visits > 0) {
    moves.push_back(node == kRoot ? first : most_visited_move(tree[node], config));
    node = tree[node].children[moves.back()];
  }
  return moves;
}

SearchResult root_result(const Node& root, const std::array<float, env::kMoves>& margins_seeds,
                         const RootSearch& search) {
  const SearchConfig& config = *search.config;
  SearchResult result;
  result.legal = root.legal;
  result.values = store(edge_values(root, load_counts(root.visits), 0, config.margin_weight));
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (!contains(root.legal, move)) continue;
    result.visits[move] = root.visits[move];
    result.lower_seeds[move] = root.lower_seeds[move];
    result.upper_seeds[move] = root.upper_seeds[move];
    if (root.visits[move] > 0) result.margins_seeds[move] = margins_seeds[move];
  }
  result.playable = playable_moves(root);
  if (config.algorithm == Algorithm::kPuct) {
    result.policy = shares_of(pruned_visits(root, config));
    result.best = most_visited(root, result.playable, root.visits, result.values);
  } else {
    result.policy = improved_policy(root, config);
    result.best =
        most_visited(root, result.playable, new_visits(root, search), root_scores(root, search));
  }
  // With noise the search also explores by what it plays.
  if (!config.noisy())
    result.best = or_certain_move(root, result.playable, result.values, result.best);
  result.solved = (root.flags & Node::kSolved) != 0;
  report_within_bounds(root, config, result);
  return result;
}

env::Move sample_move(const SearchResult& result, double temperature, env::RandomStream& stream) {
  std::uint32_t most = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    if (contains(result.playable, move)) most = std::max(most, result.visits[move]);
  }
  AWALE_CHECK(most > 0 && temperature > 0, most << " visits, temperature " << temperature);
  // Relative to the most visited, so that no power overflows or vanishes for all.
  std::array<double, env::kMoves> weights = {};
  for (int move = 0; move < env::kMoves; ++move) {
    if (!contains(result.playable, move)) continue;
    weights[move] = std::pow(static_cast<double>(result.visits[move]) / most, 1 / temperature);
  }
  double rest = stream.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  env::Move drawn = 0;
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if (weights[move] == 0) continue;
    drawn = move;
    rest -= weights[move];
    if (rest < 0) break;
  }
  return drawn;
}

float root_win_loss(const SearchResult& result, float margin_weight) {
  const float margin_part = utility(0.0F, result.root_margin_seeds, margin_weight);
  return std::clamp((result.root_value - margin_part) / (1 - margin_weight), -1.0F, 1.0F);
}

}  // namespace awale::mcts
