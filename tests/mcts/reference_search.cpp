#include "tests/mcts/reference_search.hpp"

#include <cmath>
#include <memory>
#include <numeric>
#include <vector>

#include "mcts/puct.hpp"

namespace awale::test {
namespace {

// Seen from the player to move where it is found.
struct Value {
  float utility = 0;
  float margin_seeds = 0;
};

struct ReferenceEdge {
  float prior = 0;
  std::vector<float> utilities;  // what came back, seen from the player to move at the node
  std::vector<float> margins;
  std::unique_ptr<struct ReferenceNode> child;
};

struct ReferenceNode {
  explicit ReferenceNode(env::Game state) : game(std::move(state)) {}

  env::Game game;
  nn::Evaluation evaluation;
  std::vector<float> utilities;  // the node's own, once it has been evaluated
  ReferenceEdge edges[env::kMoves];
};

float sum(const std::vector<float>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0F);
}

float mean(const std::vector<float>& values) {
  return values.empty() ? 0.0F : sum(values) / static_cast<float>(values.size());
}

// In the order in which eight lanes are added: moves 0 and 4, 1 and 5, then every second.
template <typename OfEdge>
float sum_in_pairs(const ReferenceNode& node, const OfEdge& of_edge) {
  const auto& edges = node.edges;
  return ((of_edge(edges[0]) + of_edge(edges[4])) + of_edge(edges[2])) +
         ((of_edge(edges[1]) + of_edge(edges[5])) + of_edge(edges[3]));
}

bool legal(const ReferenceNode& node, int move) {
  return (node.game.legal() >> move & 1) != 0;
}

class ReferenceSearch {
 public:
  ReferenceSearch(const mcts::SearchConfig& config, nn::Evaluator& evaluator)
      : config_(config), evaluator_(evaluator) {}

  Value expand(ReferenceNode& node) {
    evaluator_.evaluate(node.game.rules(), {&node.game.position(), 1}, {&node.evaluation, 1});
    // Tested by itself against the standard library.
    const auto priors = mcts::masked_softmax(node.evaluation.policy_logits, node.game.legal());
    for (int move = 0; move < env::kMoves; ++move)
      node.edges[move].prior = priors[move];
    const float win = node.evaluation.win_draw_loss[0];
    const float loss = node.evaluation.win_draw_loss[2];
    const Value value = {mix(win - loss, node.evaluation.margin_seeds),
                         node.evaluation.margin_seeds};
    node.utilities.push_back(value.utility);
    return value;
  }

  Value simulate(ReferenceNode& node) {
    if (node.game.over()) return final_value(node.game);
    if (node.utilities.empty()) return expand(node);
    const int move = select(node);
    ReferenceEdge& edge = node.edges[move];
    if (!edge.child) {
      edge.child = std::make_unique<ReferenceNode>(node.game);
      edge.child->game.play(static_cast<env::Move>(move));
    }
    const Value below = simulate(*edge.child);
    const Value value = {-below.utility, -below.margin_seeds};
    edge.utilities.push_back(value.utility);
    edge.margins.push_back(value.margin_seeds);
    return value;
  }

 private:
  float mix(float result, float margin_seeds) const {
    const float share = std::fmin(1.0F, std::fmax(-1.0F, margin_seeds / 24));
    return (1 - config_.margin_weight) * result + config_.margin_weight * share;
  }

  Value final_value(const env::Game& game) const {
    const int south = game.outcome().margin_south_seeds;
    const int mine = game.board().to_move == env::Side::kSouth ? south : -south;
    const float result = mine > 0 ? 1.0F : mine < 0 ? -1.0F : 0.0F;
    return {mix(result, static_cast<float>(mine)), static_cast<float>(mine)};
  }

  int select(const ReferenceNode& node) const {
    const float visited_prior = sum_in_pairs(
        node, [](const ReferenceEdge& edge) { return edge.utilities.empty() ? 0 : edge.prior; });
    const float came_back =
        sum_in_pairs(node, [](const ReferenceEdge& edge) { return sum(edge.utilities); });
    float node_visits = 1;
    for (const auto& edge : node.edges)
      node_visits += static_cast<float>(edge.utilities.size());
    const float urgency = (node.utilities[0] + came_back) / node_visits -
                          config_.fpu_reduction * std::sqrt(visited_prior);
    int best = -1;
    float best_score = 0;
    for (int move = 0; move < env::kMoves; ++move) {
      if (!legal(node, move)) continue;
      const auto& edge = node.edges[move];
      const float q = edge.utilities.empty() ? urgency : mean(edge.utilities);
      const float bonus = config_.c_puct * std::sqrt(node_visits) * edge.prior /
                          (1 + static_cast<float>(edge.utilities.size()));
      if (best < 0 || q + bonus > best_score) {
        best = move;
        best_score = q + bonus;
      }
    }
    return best;
  }

  const mcts::SearchConfig& config_;
  nn::Evaluator& evaluator_;
};

}  // namespace

mcts::SearchResult reference_search(const env::Game& game, const mcts::SearchConfig& config,
                                    nn::Evaluator& evaluator) {
  ReferenceSearch search(config, evaluator);
  ReferenceNode root(game);
  search.expand(root);
  for (int i = 0; i < config.simulations; ++i)
    search.simulate(root);
  mcts::SearchResult result;
  result.legal = game.legal();
  result.network = root.evaluation;
  float total = 0;
  for (int move = 0; move < env::kMoves; ++move) {
    const auto& edge = root.edges[move];
    result.visits[move] = static_cast<std::uint32_t>(edge.utilities.size());
    result.priors[move] = edge.prior;
    result.values[move] = mean(edge.utilities);
    result.margins_seeds[move] = mean(edge.margins);
    total += sum(edge.utilities);
  }
  result.root_value = total / static_cast<float>(config.simulations);
  return result;
}

bool same_result(const mcts::SearchResult& left, const mcts::SearchResult& right) {
  return left.visits == right.visits && left.priors == right.priors &&
         left.values == right.values && left.margins_seeds == right.margins_seeds &&
         left.root_value == right.root_value && left.legal == right.legal &&
         left.network.policy_logits == right.network.policy_logits &&
         left.network.win_draw_loss == right.network.win_draw_loss &&
         left.network.margin_seeds == right.network.margin_seeds;
}

}  // namespace awale::test
