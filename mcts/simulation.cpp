#include "mcts/simulation.hpp"

#include <algorithm>
#include <cmath>

#include "env/error.hpp"
#include "mcts/puct.hpp"

namespace awale::mcts {
namespace {

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

NodeIndex add_leaf(Tree& tree, NodeIndex parent, env::Move move, const env::RuleSet& rules) {
  const NodeIndex leaf = tree.add_child(parent, move);
  Node& node = tree[leaf];
  const int captured = env::play(rules, node.board, move);
  node.quiet_plies =
      captured > 0 ? std::uint16_t{0} : static_cast<std::uint16_t>(node.quiet_plies + 1);
  judge(node, tree, rules);
  return leaf;
}

}  // namespace

NodeIndex select_leaf(Tree& tree, const env::RuleSet& rules, const SearchConfig& config) {
  NodeIndex index = kRoot;
  while (!tree[index].terminal()) {
    const env::Move move = select_move(tree[index], config);
    const NodeIndex child = tree[index].children[move];
    if (child == kNoChild) return add_leaf(tree, index, move, rules);
    index = child;
  }
  return index;
}

float expand(Node& leaf, const nn::Evaluation& evaluation, float margin_weight) {
  leaf.priors = masked_softmax(evaluation.policy_logits, leaf.legal);
  leaf.utility_sum = utility(evaluation, margin_weight);
  // One logit that is not finite spoils the sum of the softmax and with it every prior.
  AWALE_CHECK(std::isfinite(leaf.utility_sum + leaf.priors[0]),
              "evaluation " << leaf.utility_sum << " of " << leaf.board << " is not finite");
  return leaf.utility_sum;
}

}  // namespace awale::mcts
