// The naive Gumbel search against the golden tree of the reference implementation
// (google-deepmind/mctx, mctx/_src/tests/test_data/gumbel_muzero_tree.json and tree_test.py, Apache
// License 2.0): 82 actions, 200 simulations, at most 16 considered, no noise, value_scale 0.5,
// maxvisit_init 50, no rescaling, players alternate (discount -1). Its network is made of random
// numbers.
#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "tests/mcts/jax_random.hpp"
#include "tests/mcts/naive_gumbel.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

constexpr int kActions = 82;
constexpr int kSimulations = 200;

struct GoldenNode {
  explicit GoldenNode(JaxKey seed, int number) : key(seed), index(number) {
    const auto keys = jax_split(key, 3);
    logits = jax_normal(keys[0], kActions);
    raw_value = jax_uniform(keys[1], 1, -1, 1)[0];
    values = {raw_value};
    float total = 0;
    for (const float logit : logits)
      total += std::exp(logit);
    for (const float logit : logits)
      priors.push_back(std::exp(logit) / total);
    children.resize(kActions);
  }

  int visits() const { return static_cast<int>(values.size()); }
  float value() const {
    return std::accumulate(values.begin(), values.end(), 0.0F) / static_cast<float>(visits());
  }

  JaxKey key;
  int index;  // order of evaluation
  Numbers logits;
  Numbers priors;
  float raw_value;
  Numbers values;  // its own and all that came back
  std::vector<std::unique_ptr<GoldenNode>> children;
};

GumbelNode view_of(const GoldenNode& node) {
  GumbelNode view{node.priors, Numbers(kActions), Numbers(kActions), Numbers(kActions),
                  node.raw_value};
  for (int action = 0; action < kActions; ++action) {
    if (!node.children[action]) continue;
    view.values[action] = -node.children[action]->value();
    view.visits[action] = static_cast<float>(node.children[action]->visits());
  }
  return view;
}

int choose(const GoldenNode& node, bool is_root) {
  const GumbelNode view = view_of(node);
  const Numbers weighted = bonus(view, completed(view), {50, 0.5F});
  std::vector<bool> allowed(kActions, true);
  if (!is_root) {
    const auto exponential = [](float x) { return std::exp(x); };
    return most_wanting(view, improved(view, weighted, exponential), allowed);
  }
  const int due = due_visits(16, kSimulations, node.visits() - 1);
  Numbers scores;
  for (int action = 0; action < kActions; ++action) {
    allowed[action] = view.visits[action] == static_cast<float>(due);
    scores.push_back(node.logits[action] + weighted[action]);
  }
  return best_of(scores, allowed);
}

float simulate(GoldenNode& node, bool is_root, int number) {
  const int action = choose(node, is_root);
  auto& child = node.children[action];
  float below = 0;
  if (child) {
    below = simulate(*child, false, number);
  } else {
    child = std::make_unique<GoldenNode>(jax_split(node.key, kActions)[action], number);
    below = child->raw_value;
  }
  node.values.push_back(-below);
  return -below;
}

struct Expected {
  std::vector<int> path;
  int index;
  float prior;
  float raw_value;
  float value;
  int visits;
};

TEST_CASE("Threefry and what JAX makes of it") {
  // The known answers of Random123 (kat_vectors).
  CHECK(threefry2x32({0, 0}, {0, 0}) == JaxKey{0x6b200159, 0x99ba4efe});
  CHECK(threefry2x32({0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        JaxKey{0x1cb996fc, 0xbb002be7});
  CHECK(threefry2x32({0x13198a2e, 0x03707344}, {0x243f6a88, 0x85a308d3}) ==
        JaxKey{0xc4923a9c, 0x483df7a0});
}

TEST_CASE("the naive Gumbel search grows the reference implementation's golden tree") {
  GoldenNode root({0, 0}, 0);
  for (int i = 1; i <= kSimulations; ++i)
    simulate(root, true, i);
  CHECK(root.visits() == 201);
  CHECK(root.raw_value == Approx(0.43683624).margin(1e-5));
  CHECK(root.value() == Approx(0.05357552).margin(1e-4));
  // Actions that nobody has visited, and their priors.
  const std::vector<std::pair<int, float>> unvisited = {
      {0, 0.0068438658F},  {1, 0.010170191F},  {76, 0.0020937964F}, {77, 0.0027286336F},
      {78, 0.0038698444F}, {79, 0.004223092F}, {80, 0.012641911F},  {81, 0.007295128F}};
  for (const auto& [action, prior] : unvisited) {
    CHECK(root.children[action] == nullptr);
    CHECK(root.priors[action] == Approx(prior).epsilon(1e-4));
  }
  const std::vector<Expected> all = {
      {{75}, 11, 0.021490132F, -0.880611658F, -0.25022996F, 21},
      {{75, 0}, 18, 0.10064934F, 0.05402256F, 0.18358368F, 19},
      {{75, 67}, 77, 0.077081747F, 0.88612866F, 0.886128664F, 1},
      {{5, 57}, 33, 0.040235832F, 0.31897568F, 0.09700512F, 47},
      {{5, 57, 38}, 49, 0.066981055F, 0.40898896F, 0.40898896F, 1},
  };
  for (const auto& expected : all) {
    const GoldenNode* node = &root;
    float prior = 1;
    for (const int action : expected.path) {
      prior = node->priors[action];
      node = node->children[action].get();
      REQUIRE(node != nullptr);
    }
    INFO("action " << expected.path[0] << ", " << expected.path.size() << " plies");
    CHECK(node->index == expected.index);
    CHECK(prior == Approx(expected.prior).epsilon(1e-4));
    CHECK(node->visits() == expected.visits);
    CHECK(node->raw_value == Approx(expected.raw_value).margin(1e-5));
    CHECK(node->value() == Approx(expected.value).margin(1e-4));
  }
}

// test_mix_value of mctx/_src/tests/qtransforms_test.py.
TEST_CASE("the mixed value is the reference implementation's") {
  const float a = std::exp(-1.0F) / (std::exp(-1.0F) + std::exp(2.0F));
  GumbelNode node;
  node.priors = {0, a, 1 - a, 0};
  node.visits = {0, 4, 4, 0};
  node.pending = Numbers(4);
  for (const float value : {20.0F, 3.0F, -1.0F, 10.0F})
    node.values.push_back(10.0F / 54 * value);
  node.raw_value = -0.8F;
  const float mixed = (-0.8F + 8 * (a * node.values[1] + (1 - a) * node.values[2])) / 9;
  const Numbers values = completed(node);
  CHECK(values[0] == Approx(mixed));
  CHECK(values[1] == node.values[1]);
  CHECK(values[2] == node.values[2]);
  CHECK(values[3] == Approx(mixed));
}

}  // namespace
}  // namespace awale::test
