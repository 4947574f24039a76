#include "mcts/gumbel.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "env/error.hpp"
#include "mcts/puct.hpp"

namespace awale::mcts {
namespace {

// The bodies of mixed_value(), completed_values() and improved_policy(): a call in the middle of
// select_gumbel() would spill every register.
[[gnu::always_inline]] inline float mix(float raw_value, Lanes values, Lanes priors, Lanes visits,
                                        float total) {
  // As in mctx: a prior that has underflowed still has a weight.
  const Lanes weights =
      where_positive(visits, max(priors, all_lanes(std::numeric_limits<float>::min())), Lanes{});
  const float mass = sum(weights);
  const float mean = mass > 0 ? sum(weights * values) / mass : 0.0F;
  return (raw_value + total * mean) / (total + 1);
}

[[gnu::always_inline]] inline Lanes complete(const Node& node, Lanes visits,
                                             const SearchConfig& config) {
  const Lanes visited = edge_values(node, visits, 0, config.margin_weight);
  const auto total = static_cast<float>(node.total_visits);
  const float mixed = mix(node.utility, visited, load(node.priors), visits, total);
  const Lanes completed = where_positive(visits, visited, all_lanes(mixed));
  if ((node.flags & Node::kBounded) == 0) return completed;
  return within_bounds(node, completed, config.margin_weight);
}

[[gnu::always_inline]] inline Lanes improve(const Node& node, Lanes visits,
                                            const SearchConfig& config) {
  const Lanes bonus = sigma(complete(node, visits, config), largest(visits), config);
  const Lanes legal =
      where_in(node.legal, bonus, all_lanes(-std::numeric_limits<float>::infinity()));
  // The priors are the softmax of the logits, so they stand for e^logit.
  const Lanes weights = load(node.priors) * exponential(bonus - all_lanes(largest(legal)));
  return weights / sum(weights);
}

}  // namespace

std::vector<std::uint16_t> considered_visits(int considered, int simulations) {
  std::vector<std::uint16_t> sequence;
  std::vector<std::uint16_t> visits(static_cast<std::size_t>(considered), 0);
  const int rounds = std::max(1, static_cast<int>(std::bit_width(unsigned(considered - 1))));
  const auto length = static_cast<std::size_t>(simulations);
  while (sequence.size() < length) {
    const int each = std::max(1, simulations / (rounds * considered));
    for (int i = 0; i < each; ++i) {
      sequence.insert(sequence.end(), visits.begin(), visits.begin() + considered);
      for (int move = 0; move < considered; ++move)
        ++visits[static_cast<std::size_t>(move)];
    }
    considered = std::min(considered, std::max(2, considered / 2));
  }
  sequence.resize(length);
  return sequence;
}

float mixed_value(float raw_value, Lanes values, Lanes priors, Lanes visits, float total) {
  return mix(raw_value, values, priors, visits, total);
}

Lanes completed_values(const Node& node, Lanes visits, const SearchConfig& config) {
  return complete(node, visits, config);
}

std::array<float, env::kMoves> improved_policy(const Node& node, const SearchConfig& config) {
  return store(improve(node, load_counts(node.visits), config));
}

env::Move select_gumbel(const Node& node, const SearchConfig& config) {
  Lanes visits = load_counts(node.visits);
  const float share = config.interior_exploration;
  const auto moves = static_cast<float>(std::popcount(unsigned{node.legal}));
  const Lanes policy = (1 - share) * improve(node, visits, config) + share / moves;
  float total = node.total_visits;
  if (config.leaves > 1) {
    const Lanes pending = load_counts(node.pending);
    visits = visits + pending;
    total += sum(pending);
  }
  return best_lane(policy - visits / (1 + total), open_contenders(node));
}

std::array<float, env::kMoves> root_logits(const Node& root, const SearchConfig& config,
                                           env::RandomStream& stream) {
  std::array<float, env::kMoves> logits = {};
  for (env::Move move = 0; move < env::kMoves; ++move) {
    if ((root.legal >> move & 1) == 0) continue;
    logits[move] = std::log(std::max(root.priors[move], std::numeric_limits<float>::min()));
    if (config.gumbel_noise == 0) continue;
    // -log of an exponential variate, which must not be 0.
    const double exponential = std::max(-std::log(1 - stream.uniform()), 0x1p-54);
    logits[move] += config.gumbel_noise * static_cast<float>(-std::log(exponential));
  }
  return logits;
}

env::Move select_gumbel_root(const Node& root, const RootSearch& search, int considered) {
  env::LegalMask candidates = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    const int begun = root.visits[move] - search.earlier_visits[move] + root.pending[move];
    if ((root.legal >> move & 1) != 0 && begun == considered) candidates |= 1 << move;
  }
  AWALE_CHECK(candidates != 0, "no move of " << root.board << " has " << considered << " visits");
  return best_lane(load(root_scores(root, search)), candidates);
}

std::array<float, env::kMoves> root_scores(const Node& root, const RootSearch& search) {
  const Lanes visits = load_counts(root.visits);
  const Lanes values = completed_values(root, visits, *search.config);
  return store(load(search.logits) + sigma(values, largest(visits), *search.config));
}

}  // namespace awale::mcts
