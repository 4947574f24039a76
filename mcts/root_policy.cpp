#include "mcts/root_policy.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "env/error.hpp"
#include "mcts/puct.hpp"

namespace awale::mcts {

env::Move best_move(const SearchResult& result) {
  const auto rank = [&result](env::Move move) {
    return std::tuple(result.visits[move], result.values[move], result.margins_seeds[move]);
  };
  env::Move best = 0;
  for (env::Move move = 1; move < env::kMoves; ++move) {
    // A move without visits counts as of value 0, but one with visits exists.
    if (rank(move) > rank(best)) best = move;
  }
  AWALE_CHECK(result.visits[best] > 0, "no move of the result has been visited");
  return best;
}

env::Move sample_move(const SearchResult& result, double temperature, env::RandomStream& stream) {
  const auto most = *std::max_element(result.visits.begin(), result.visits.end());
  AWALE_CHECK(most > 0 && temperature > 0, most << " visits, temperature " << temperature);
  // Relative to the most visited, so that no power overflows or vanishes for all.
  std::array<double, env::kMoves> weights;
  for (int move = 0; move < env::kMoves; ++move) {
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

std::array<float, env::kMoves> visit_shares(const SearchResult& result) {
  const auto total = std::accumulate(result.visits.begin(), result.visits.end(), 0U);
  AWALE_CHECK(total > 0, "no move of the result has been visited");
  std::array<float, env::kMoves> shares;
  for (int move = 0; move < env::kMoves; ++move) {
    shares[move] = static_cast<float>(result.visits[move]) / static_cast<float>(total);
  }
  return shares;
}

float root_margin_seeds(const SearchResult& result) {
  float sum = 0;
  float visits = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    sum += static_cast<float>(result.visits[move]) * result.margins_seeds[move];
    visits += static_cast<float>(result.visits[move]);
  }
  return visits > 0 ? sum / visits : 0;
}

float root_win_loss(const SearchResult& result, float margin_weight) {
  const float margin_part = utility(0.0F, root_margin_seeds(result), margin_weight);
  return std::clamp((result.root_value - margin_part) / (1 - margin_weight), -1.0F, 1.0F);
}

}  // namespace awale::mcts
