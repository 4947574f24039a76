#include "tests/mcts/naive_gumbel.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace awale::test {

float add_up(const Numbers& numbers) {
  if (numbers.size() > 8) return std::accumulate(numbers.begin(), numbers.end(), 0.0F);
  Numbers rest = numbers;
  rest.resize(8, 0.0F);
  while (rest.size() > 1) {
    const std::size_t half = rest.size() / 2;
    for (std::size_t i = 0; i < half; ++i)
      rest[i] += rest[i + half];
    rest.resize(half);
  }
  return rest[0];
}

int due_visits(int considered, int simulations, int index) {
  int rounds = 1;
  while ((1 << rounds) < considered)
    ++rounds;
  int first = 0;   // simulation of the present pass
  int visits = 0;  // that the moves still in play have got before it
  while (true) {
    const int passes = std::max(1, simulations / (rounds * considered));
    for (int pass = 0; pass < passes; ++pass, ++visits, first += considered) {
      if (index < first + considered) return visits;
    }
    if (considered > 2) considered = std::max(2, considered / 2);
  }
}

Numbers completed(const GumbelNode& node) {
  Numbers weights;
  Numbers weighted;
  for (std::size_t i = 0; i < node.priors.size(); ++i) {
    const float least = std::numeric_limits<float>::min();
    weights.push_back(node.visits[i] > 0 ? std::max(node.priors[i], least) : 0.0F);
    weighted.push_back(node.visits[i] > 0 ? weights[i] * node.values[i] : 0.0F);
  }
  const float mass = add_up(weights);
  const float mean = mass > 0 ? add_up(weighted) / mass : 0.0F;
  const float total = add_up(node.visits);
  const float mixed = (node.raw_value + total * mean) / (total + 1);
  Numbers values;
  for (std::size_t i = 0; i < node.priors.size(); ++i)
    values.push_back(node.visits[i] > 0 ? node.values[i] : mixed);
  return values;
}

Numbers bonus(const GumbelNode& node, const Numbers& completed, GumbelScale scale) {
  const float most =
      std::min(scale.visit_cap, *std::max_element(node.visits.begin(), node.visits.end()));
  Numbers result;
  for (const float value : completed)
    result.push_back((scale.c_visit + most) * scale.c_scale * value);
  return result;
}

Numbers improved(const GumbelNode& node, const Numbers& bonus,
                 const std::function<float(float)>& exponential) {
  float highest = -std::numeric_limits<float>::infinity();
  for (std::size_t i = 0; i < bonus.size(); ++i) {
    if (node.priors[i] > 0) highest = std::max(highest, bonus[i]);
  }
  Numbers weights(bonus.size(), 0.0F);
  for (std::size_t i = 0; i < bonus.size(); ++i) {
    if (node.priors[i] > 0) weights[i] = node.priors[i] * exponential(bonus[i] - highest);
  }
  const float total = add_up(weights);
  for (float& weight : weights)
    weight /= total;
  return weights;
}

Numbers explored(const GumbelNode& node, const Numbers& policy, float share) {
  float actions = 0;
  for (const float prior : node.priors)
    actions += prior > 0 ? 1.0F : 0.0F;
  Numbers result;
  for (const float part : policy)
    result.push_back((1 - share) * part + share / actions);
  return result;
}

int most_wanting(const GumbelNode& node, const Numbers& policy, const std::vector<bool>& allowed) {
  const float total = add_up(node.visits) + add_up(node.pending);
  Numbers missing;
  for (std::size_t i = 0; i < policy.size(); ++i)
    missing.push_back(policy[i] - (node.visits[i] + node.pending[i]) / (1 + total));
  return best_of(missing, allowed);
}

int best_of(const Numbers& scores, const std::vector<bool>& allowed) {
  int best = -1;
  for (int i = 0; i < static_cast<int>(scores.size()); ++i) {
    if (!allowed[i]) continue;
    if (best < 0 || scores[i] > scores[best]) best = i;
  }
  return best;
}

}  // namespace awale::test
