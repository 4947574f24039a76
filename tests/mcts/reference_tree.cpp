#include "tests/mcts/reference_tree.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace awale::test {
namespace {

// Nobody loses what he has captured.
Range by_stores(const env::Board& board) {
  const int margin = board.store_to_move - board.store_opponent;
  const int rest = std::accumulate(board.pits.begin(), board.pits.end(), 0);
  return {margin - rest, margin + rest};
}

template <typename OfEdge>
Numbers of_edges(const ReferenceNode& node, const OfEdge& of_edge) {
  Numbers numbers;
  for (const auto& edge : node.edges)
    numbers.push_back(static_cast<float>(of_edge(edge)));
  return numbers;
}

}  // namespace

Certain certain(const ReferenceNode& node, bool solve) {
  Certain result;
  if (node.game.over()) {
    const int margin = margin_of(node.game);
    result.node = {margin, margin};
    result.known = result.passed = true;
    return result;
  }
  const Range stores = by_stores(node.game.board());
  result.node = {-1000, -1000};
  for (int move = 0; move < env::kMoves; ++move) {
    Range& range = result.moves[move];
    range = stores;
    if (!node.legal(move)) continue;
    const auto& child = node.edges[move].child;
    if (solve && child) {
      const Certain below = certain(*child, solve);
      if (below.passed) range = {-below.node.upper, -below.node.lower};
    }
    if (!(range == stores)) result.known = true;
    result.node.lower = std::max(result.node.lower, range.lower);
    result.node.upper = std::max(result.node.upper, range.upper);
  }
  result.passed = result.known;
  if (node.oracle && node.oracle->certain) {
    result.node.lower = std::max(result.node.lower, node.oracle->margin.low);
    result.node.upper = std::min(result.node.upper, node.oracle->margin.high);
    result.passed = true;
  }
  return result;
}

std::vector<bool> contenders(const ReferenceNode& node, const Certain& bounds) {
  std::vector<bool> result;
  for (int move = 0; move < env::kMoves; ++move)
    result.push_back(node.legal(move) && bounds.moves[move].upper >= bounds.node.lower);
  return result;
}

std::vector<bool> open_contenders(const ReferenceNode& node, const Certain& bounds) {
  const std::vector<bool> all = contenders(node, bounds);
  std::vector<bool> open = all;
  for (int move = 0; move < env::kMoves; ++move)
    open[move] = open[move] && bounds.moves[move].lower != bounds.moves[move].upper;
  const bool any = std::find(open.begin(), open.end(), true) != open.end();
  return any ? open : all;
}

float utility_of(float result, float margin_seeds, float margin_weight) {
  const float share = std::fmin(1.0F, std::fmax(-1.0F, margin_seeds / 24));
  return (1 - margin_weight) * result + margin_weight * share;
}

float utility_of_end(int margin_seeds, float margin_weight) {
  const float result = margin_seeds > 0 ? 1.0F : margin_seeds < 0 ? -1.0F : 0.0F;
  return utility_of(result, static_cast<float>(margin_seeds), margin_weight);
}

int margin_of(const env::Game& over) {
  const int south = over.outcome().margin_south_seeds;
  return over.board().to_move == env::Side::kSouth ? south : -south;
}

Numbers within(const ReferenceNode& node, const Certain& bounds, Numbers values,
               float margin_weight) {
  if (!bounds.known) return values;
  for (int move = 0; move < env::kMoves; ++move) {
    if (!node.legal(move)) continue;
    values[move] = std::fmax(values[move], utility_of_end(bounds.moves[move].lower, margin_weight));
    values[move] = std::fmin(values[move], utility_of_end(bounds.moves[move].upper, margin_weight));
  }
  return values;
}

Numbers values_of(const ReferenceNode& node, const Certain& bounds, float unvisited,
                  float margin_weight) {
  const auto mean = [&](const ReferenceEdge& edge) {
    return edge.utilities.empty() ? unvisited : edge.total / edge.visits();
  };
  return within(node, bounds, of_edges(node, mean), margin_weight);
}

Numbers visits_of(const ReferenceNode& node) {
  return of_edges(node, [](const ReferenceEdge& edge) { return edge.visits(); });
}

Numbers pending_of(const ReferenceNode& node) {
  return of_edges(node, [](const ReferenceEdge& edge) { return edge.pending; });
}

Numbers priors_of(const ReferenceNode& node) {
  return of_edges(node, [](const ReferenceEdge& edge) { return edge.prior; });
}

std::vector<bool> legal_of(const ReferenceNode& node) {
  std::vector<bool> result;
  for (int move = 0; move < env::kMoves; ++move)
    result.push_back(node.legal(move));
  return result;
}

}  // namespace awale::test
