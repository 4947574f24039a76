#include "mcts/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/error.hpp"
#include "mcts/gumbel.hpp"
#include "mcts/oracle.hpp"
#include "mcts/puct.hpp"
#include "mcts/utility.hpp"

namespace awale::mcts {
namespace {

// What the stores say of the final margin, whatever is played: no rule gives back what is captured.
void bound_by_stores(Node& node) {
  const int margin = int{node.board.store_to_move} - int{node.board.store_opponent};
  const int rest = env::row_to_move_seeds(node.board) + env::row_opponent_seeds(node.board);
  node.lower_seeds.fill(static_cast<std::int8_t>(margin - rest));
  node.upper_seeds.fill(static_cast<std::int8_t>(margin + rest));
}

void judge(Node& node, const Tree& tree, const env::RuleSet& rules) {
  const env::LegalMask legal = env::legal_moves(rules, node.board);
  const int earlier = rules.repetition_occurrence > 0 ? tree.earlier_occurrences(node) : 0;
  const auto reason = env::end_reason(rules, node.board, legal, earlier + 1, tree.ply(node));
  node.repetitions = static_cast<std::uint8_t>(std::min(earlier, 255));
  if (reason == env::EndReason::kNone) {
    node.legal = legal;
    return;
  }
  const int margin = env::final_margin_to_move(rules, node.board, reason);
  node.final_margin_seeds = static_cast<std::int8_t>(margin);
}

// What an endgame table knows of a leaf that is not over.
void ask_oracle(Tree& tree, NodeIndex leaf, const env::RuleSet& rules,
                const env::EndgameTable& table) {
  Node& node = tree[leaf];
  const auto limits = oracle_limits(table, rules, tree.position(node));
  if (!limits) return;
  if (limits->certain) tree.pass_up_bounds(leaf, limits->margin.low, limits->margin.high);
  if (limits->certain && limits->margin.exact()) node.settle(limits->margin.low);
  node.flags |= Node::kLimited;
  node.lower_seeds[0] = static_cast<std::int8_t>(limits->margin.low);
  node.upper_seeds[0] = static_cast<std::int8_t>(limits->margin.high);
}

NodeIndex add_leaf(Tree& tree, NodeIndex parent, env::Move move, const env::RuleSet& rules,
                   const SearchConfig& config) {
  const NodeIndex leaf = tree.add_child(parent, move);
  Node& node = tree[leaf];
  const int captured = env::play(rules, node.board, move);
  node.quiet_plies =
      captured > 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(node.quiet_plies + 1);
  judge(node, tree, rules);
  if (config.endgame && !node.terminal()) ask_oracle(tree, leaf, rules, *config.endgame);
  return leaf;
}

Value limit(Value value, int lower_seeds, int upper_seeds, float margin_weight) {
  return {std::clamp(value.utility, terminal_utility(lower_seeds, margin_weight),
                     terminal_utility(upper_seeds, margin_weight)),
          std::clamp(value.margin_seeds, static_cast<float>(lower_seeds),
                     static_cast<float>(upper_seeds))};
}

// What the node is worth to its player, once what lies behind `move` has the value `q`: its own
// evaluation and, for as many simulations as have come back, the mean of its edges' Q, weighted
// with visits * e^(backup_sharpness * (Q - 1)), which does not underflow: a sharpness is 40 at
// most. The one edge is kept apart, because its value comes last: all else can be computed while
// the nodes below are.
float sharp_mean(const Node& node, env::Move move, float q, const SearchConfig& config) {
  if ((node.flags & Node::kBounded) != 0)
    q = within_bounds(node, all_lanes(q), config.margin_weight)[move];
  const Lanes visits = load_counts(node.visits);
  const Lanes values = edge_values(node, visits, 0, config.margin_weight);
  const Lanes weights =
      with_lane(visits, move, 0) * exponential(config.backup_sharpness * (values - 1.0F));
  const float weight = static_cast<float>(node.visits[move]) *
                       exponential(all_lanes(config.backup_sharpness * (q - 1)))[0];
  const float mean = (sum(weights * values) + weight * q) / (sum(weights) + weight);
  const auto total = static_cast<float>(node.total_visits);
  return (node.utility + total * mean) / (1 + total);
}

env::Move select(const Node& node, const SearchConfig& config) {
  return config.algorithm == Algorithm::kPuct ? select_puct(node, config)
                                              : select_gumbel(node, config);
}

env::Move select_at_root(const Node& root, const RootSearch& search) {
  if (search.only_move != env::kNoMove) return search.only_move;
  if (search.config->algorithm == Algorithm::kPuct) return select_puct_root(root, *search.config);
  const int pending = std::accumulate(root.pending.begin(), root.pending.end(), 0);
  const int begun = root.total_visits - search.earlier_simulations() + pending;
  return select_gumbel_root(root, search, search.considered[begun]);
}

}  // namespace

NodeIndex select_leaf(Tree& tree, const env::RuleSet& rules, const RootSearch& root) {
  NodeIndex index = kRoot;
  env::Move move = select_at_root(tree.root(), root);
  while (true) {
    const NodeIndex child = tree[index].children[move];
    if (child == kNoChild) return add_leaf(tree, index, move, rules, *root.config);
    const Node& node = tree[child];
    if (node.settled() || (node.flags & Node::kExpanded) == 0) return child;
    index = child;
    move = node.next;
  }
}

void pass_up_means(Tree& tree, NodeIndex leaf, const SearchConfig& config) {
  if (leaf == kRoot || config.backup_sharpness == 0) return;
  NodeIndex below = leaf;
  float mean = tree.mean(leaf);
  for (NodeIndex index = tree[leaf].parent; index != kRoot; index = tree[index].parent) {
    const float next = sharp_mean(tree[index], tree[below].parent_move, -mean, config);
    // Only now: what has just been read would have had to wait for it.
    tree.set_mean(below, mean);
    below = index;
    mean = next;
  }
  tree.set_mean(below, mean);
}

void choose_next(Tree& tree, NodeIndex leaf, const SearchConfig& config) {
  if (leaf == kRoot) return;
  for (NodeIndex index = tree[leaf].parent; index != kRoot; index = tree[index].parent)
    tree[index].next = select(tree[index], config);
}

Value expand(Node& leaf, const nn::Evaluation& evaluation, const SearchConfig& config) {
  leaf.priors = masked_softmax(evaluation.policy_logits, leaf.legal);
  Value value = {utility(evaluation, config.margin_weight), evaluation.margin_seeds};
  if ((leaf.flags & Node::kLimited) != 0) {
    value = limit(value, leaf.lower_seeds[0], leaf.upper_seeds[0], config.margin_weight);
  }
  leaf.utility = value.utility;
  leaf.flags |= Node::kExpanded;
  bound_by_stores(leaf);
  // One logit that is not finite spoils the sum of the softmax and with it every prior.
  AWALE_CHECK(std::isfinite(leaf.utility + leaf.priors[0]),
              "evaluation " << leaf.utility << " of " << leaf.board << " is not finite");
  leaf.next = select(leaf, config);
  return value;
}

}  // namespace awale::mcts
