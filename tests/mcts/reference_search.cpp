#include "tests/mcts/reference_search.hpp"

#include <algorithm>
#include <cmath>

#include "mcts/puct.hpp"

namespace awale::test {
namespace {

bool same_game(const env::Game& left, const env::Game& right) {
  const auto a = left.history();
  const auto b = right.history();
  return left.position().ply == right.position().ply &&
         left.position().quiet_plies == right.position().quiet_plies &&
         std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Takes the first node below `node` that has come to the same game out of the tree.
std::unique_ptr<ReferenceNode> take_descendant(ReferenceNode& node, const env::Game& game) {
  for (auto& edge : node.edges) {
    if (edge.child && edge.child->evaluated && same_game(edge.child->game, game))
      return std::move(edge.child);
  }
  for (auto& edge : node.edges) {
    if (!edge.child) continue;
    if (auto found = take_descendant(*edge.child, game)) return found;
  }
  return nullptr;
}

int size_of(const ReferenceNode& node) {
  int size = 1;
  for (const auto& edge : node.edges)
    size += edge.child ? size_of(*edge.child) : 0;
  return size;
}

// A tree that already holds more than three searches is not gone on with.
bool has_room(const ReferenceNode& root, int simulations) {
  const float most = 3 * static_cast<float>(simulations);
  return static_cast<float>(size_of(root)) <= most && add_up(visits_of(root)) <= most;
}

}  // namespace

void ReferenceSearch::evaluate(ReferenceNode& node) {
  evaluator_.evaluate(node.game.rules(), {&node.game.position(), 1}, {&node.evaluation, 1});
  const auto legal = static_cast<env::LegalMask>(node.game.legal() & node.searched);
  const auto priors = mcts::masked_softmax(node.evaluation.policy_logits, legal);
  for (int move = 0; move < env::kMoves; ++move)
    node.edges[move].prior = priors[move];
  const float win = node.evaluation.win_draw_loss[0];
  const float loss = node.evaluation.win_draw_loss[2];
  node.margin_seeds = node.evaluation.margin_seeds;
  node.utility = utility_of(win - loss, node.margin_seeds, config_.margin_weight);
  if (node.oracle) {
    const auto [low, high] = node.oracle->margin;
    const float least = utility_of_end(low, config_.margin_weight);
    const float most = utility_of_end(high, config_.margin_weight);
    node.utility = std::fmin(std::fmax(node.utility, least), most);
    node.margin_seeds =
        std::fmin(std::fmax(node.margin_seeds, static_cast<float>(low)), static_cast<float>(high));
  }
  node.evaluated = true;
}

void ReferenceSearch::add_noise(const ReferenceRequest& request) {
  env::RandomStream stream(request.seed, env::RandomPurpose::kRootNoise, request.game_id,
                           root_->game.position().ply);
  const mcts::SearchConfig& config = search_.config;
  search_.logits.assign(env::kMoves, 0.0F);
  if (config.algorithm == mcts::Algorithm::kPuct) {
    if (config.noise_weight == 0) return;
    std::array<float, env::kMoves> priors;
    std::copy_n(priors_of(*root_).begin(), priors.size(), priors.begin());
    const auto legal = static_cast<env::LegalMask>(root_->game.legal() & root_->searched);
    mcts::add_dirichlet_noise(priors, legal, config.noise_weight, config.noise_total, stream);
    for (int move = 0; move < env::kMoves; ++move)
      root_->edges[move].prior = priors[move];
    return;
  }
  for (int move = 0; move < env::kMoves; ++move) {
    if (!root_->legal(move)) continue;
    search_.logits[move] = std::log(root_->edges[move].prior);
    if (config.gumbel_noise > 0) {
      const double gumbel = -std::log(-std::log(1 - stream.uniform()));
      search_.logits[move] += config.gumbel_noise * static_cast<float>(gumbel);
    }
  }
}

ReferenceSearch::Way ReferenceSearch::descend() {
  Way way;
  ReferenceNode* node = root_.get();
  while (true) {
    const int move =
        node == root_.get() ? choose_at_root(*node, search_) : choose_below_root(*node, config_);
    way.steps.push_back({node, move});
    auto& child = node->edges[move].child;
    if (!child) {
      child = std::make_unique<ReferenceNode>(node->game);
      child->game.play(static_cast<env::Move>(move));
      if (config_.endgame && !child->game.over()) {
        child->oracle =
            mcts::oracle_limits(*config_.endgame, child->game.rules(), child->game.position());
      }
    }
    node = child.get();
    const Certain bounds = certain(*node, config_.solve);
    if (node->game.over() || !node->evaluated || bounds.settled()) break;
  }
  way.leaf = node;
  return way;
}

void ReferenceSearch::finish(const Way& way, float utility, float margin_seeds) {
  for (auto step = way.steps.rbegin(); step != way.steps.rend(); ++step) {
    utility = -utility;
    margin_seeds = -margin_seeds;
    auto& edge = step->node->edges[step->move];
    edge.utilities.push_back(utility);
    edge.total += utility;
    edge.margins.push_back(margin_seeds);
  }
  if (config_.backup_sharpness == 0) return;
  const auto edge_of = [](const Step& step) -> auto& {
    return step.node->edges[step.move];
  };
  const auto set = [&](const Step& step, float value) {
    edge_of(step).total = value * static_cast<float>(edge_of(step).visits());
  };
  const auto& last = edge_of(way.steps.back());
  float value = last.total / static_cast<float>(last.visits());
  set(way.steps.back(), value);
  for (std::size_t i = way.steps.size(); i-- > 1;) {
    const auto& [node, move] = way.steps[i];
    value = -passed_up(*node, certain(*node, config_.solve), config_, move, value);
    set(way.steps[i - 1], value);
  }
}

void ReferenceSearch::simulate() {
  std::vector<Way> waiting;
  const auto started = [this] { return add_up(visits_of(*root_)) + add_up(pending_of(*root_)); };
  while (static_cast<int>(waiting.size()) < config_.leaves &&
         started() < add_up(search_.earlier) + static_cast<float>(search_.simulations)) {
    const Way way = descend();
    const Certain bounds = certain(*way.leaf, config_.solve);
    if (bounds.settled()) {
      finish(way, utility_of_end(bounds.node.lower, config_.margin_weight),
             static_cast<float>(bounds.node.lower));
      continue;
    }
    const bool waits = std::any_of(waiting.begin(), waiting.end(),
                                   [&](const Way& other) { return other.leaf == way.leaf; });
    if (waits) break;
    for (const Step& step : way.steps)
      ++step.node->edges[step.move].pending;
    waiting.push_back(way);
  }
  for (const Way& way : waiting) {
    evaluate(*way.leaf);
    for (const Step& step : way.steps)
      --step.node->edges[step.move].pending;
    finish(way, way.leaf->utility, way.leaf->margin_seeds);
  }
}

mcts::SearchResult ReferenceSearch::run(const env::Game& game, const ReferenceRequest& request) {
  search_.config = config_;
  if (!request.noise) search_.config.noise_weight = search_.config.gumbel_noise = 0;
  search_.simulations = request.simulations > 0 ? request.simulations : config_.simulations;
  auto known = config_.reuse_tree && root_ ? take_descendant(*root_, game) : nullptr;
  env::LegalMask searched = game.legal();
  if (config_.endgame) {
    searched = mcts::outcome_keeping_moves(*config_.endgame, game.rules(), game.position(),
                                           game.history(), game.legal());
  }
  const bool goes_on = known && searched == game.legal() && has_room(*known, search_.simulations);
  root_ = goes_on ? std::move(known) : std::make_unique<ReferenceNode>(game);
  root_->searched = searched;
  if (!root_->evaluated) evaluate(*root_);
  mcts::SearchResult start;
  std::copy_n(priors_of(*root_).begin(), start.priors.size(), start.priors.begin());
  add_noise(request);
  search_.earlier = visits_of(*root_);
  const float wanted = add_up(search_.earlier) + static_cast<float>(search_.simulations);
  while (add_up(visits_of(*root_)) < wanted)
    simulate();
  mcts::SearchResult result = reference_result(*root_, search_);
  result.priors = start.priors;
  result.network = root_->evaluation;
  return result;
}

mcts::SearchResult reference_search(const env::Game& game, const mcts::SearchConfig& config,
                                    nn::Evaluator& evaluator, const ReferenceRequest& request) {
  return ReferenceSearch(config, evaluator).run(game, request);
}

bool same_result(const mcts::SearchResult& left, const mcts::SearchResult& right) {
  return left.visits == right.visits && left.priors == right.priors &&
         left.values == right.values && left.margins_seeds == right.margins_seeds &&
         left.lower_seeds == right.lower_seeds && left.upper_seeds == right.upper_seeds &&
         left.best == right.best && left.playable == right.playable &&
         left.policy == right.policy && left.root_value == right.root_value &&
         left.root_margin_seeds == right.root_margin_seeds && left.solved == right.solved &&
         left.legal == right.legal && left.network.policy_logits == right.network.policy_logits &&
         left.network.win_draw_loss == right.network.win_draw_loss &&
         left.network.margin_seeds == right.network.margin_seeds;
}

}  // namespace awale::test
