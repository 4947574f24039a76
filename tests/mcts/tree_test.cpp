#include "mcts/tree.hpp"

#include "env/notation.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

// A tree whose root is the current position of `game`.
mcts::Tree tree_of(const env::Game& game, int capacity) {
  mcts::Tree tree(capacity);
  tree.reset(game.position(), game.history(), game.legal());
  return tree;
}

// Plays `moves` below the root, a new node each; returns the last one.
mcts::NodeIndex add_line(mcts::Tree& tree, const env::RuleSet& rules,
                         const std::vector<env::Move>& moves) {
  mcts::NodeIndex index = mcts::kRoot;
  for (const env::Move move : moves) {
    index = tree.add_child(index, move);
    mcts::Node& node = tree[index];
    const int captured = env::play(rules, node.board, move);
    node.quiet_plies = captured > 0 ? 0 : static_cast<std::uint16_t>(node.quiet_plies + 1);
  }
  return index;
}

// Repetitions are counted and never end a game.
env::RuleSet counting_rules() {
  env::RuleSet rules = env::preset("codingame");
  rules.name = "custom";
  rules.repetition_occurrence = 100;
  return rules;
}

// The leaf after three plies.
mcts::NodeIndex line_backed_up_twice(mcts::Tree& tree, const env::RuleSet& rules) {
  const auto leaf = add_line(tree, rules, {2, 1, 5});
  tree.back_up(leaf, 0.75F, -6.0F);
  tree.back_up(leaf, 0.25F, 2.0F);
  return leaf;
}

TEST_CASE("a node's value becomes the mean of the edge to it, with the other sign") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  auto tree = tree_of(game, 10);
  const auto leaf = line_backed_up_twice(tree, rules);
  const auto node = tree[leaf].parent;
  tree.set_mean(node, 0.25F);
  CHECK(tree.mean(node) == 0.25F);
  const auto& parent = tree[tree[node].parent];
  CHECK(parent.value_sums == std::array<float, 6>{0, -0.5F, 0, 0, 0, 0});
  CHECK(parent.visits[1] == 2);
}

TEST_CASE("a value changes its sign at every ply on the way up") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  auto tree = tree_of(game, 10);
  const auto leaf = line_backed_up_twice(tree, rules);

  const auto& parent = tree[tree[leaf].parent];
  CHECK(parent.visits == std::array<std::uint16_t, 6>{0, 0, 0, 0, 0, 2});
  CHECK(parent.value_sums[5] == -1.0F);
  CHECK(tree.mean_margin_seeds(parent, 5) == 2.0F);
  CHECK(parent.margin_sum_seeds == 4.0F);
  const auto& grandparent = tree[parent.parent];
  CHECK(grandparent.value_sums[1] == 1.0F);
  CHECK(tree.mean_margin_seeds(grandparent, 1) == -2.0F);
  CHECK(tree.root().value_sums[2] == -1.0F);
  CHECK(tree.mean_margin_seeds(tree.root(), 2) == 2.0F);
  CHECK(tree.root().mean_utility() == Approx(-1.0 / 3));
  CHECK(tree.root().total_visits == 2);
  CHECK(tree[leaf].total_visits == 0);
}

TEST_CASE("a node knows ply, quiet plies and depth from the game and the path") {
  const auto rules = env::preset("abapa");
  const auto game = env::replay(rules, env::initial_board(), "FfBeB");
  auto tree = tree_of(game, 10);
  const auto leaf = add_line(tree, rules, {0, 0});
  env::Game played = game;
  played.play(0);
  played.play(0);
  const auto position = tree.position(tree[leaf]);
  CHECK(position.board == played.board());
  CHECK(position.ply == 7);
  CHECK(position.quiet_plies == played.position().quiet_plies);
  CHECK(tree[leaf].depth == 2);
}

TEST_CASE("earlier occurrences are found on the path and in the game before the root") {
  const auto rules = counting_rules();
  const auto start = env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
  const std::string cycle = "AaBbCcDdEeFf";
  const std::string moves = cycle + cycle + cycle;
  const std::vector<env::Move> line = {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 0, 0, 1, 1, 2, 2,
                                       3, 3, 4, 4, 5, 5, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5};
  // The same 36 plies, ever more of them before the root.
  for (std::size_t before = 0; before < 36; ++before) {
    const auto game = env::replay(rules, start, moves.substr(0, before));
    auto tree = tree_of(game, 40);
    const auto leaf = add_line(tree, rules, {line.begin() + static_cast<long>(before), line.end()});
    CHECK(tree.earlier_occurrences(tree[leaf]) == 3);
    CHECK(tree.earlier_occurrences(tree[tree[leaf].parent]) == (before < 36 ? 2 : 0));
  }
}

TEST_CASE("a capture makes the tree forget what was before") {
  const auto rules = counting_rules();
  const auto start = env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
  const auto game = env::replay(rules, start, "AaBbCcDdEeFf");
  auto tree = tree_of(game, 4);
  const auto leaf = tree.add_child(mcts::kRoot, 0);
  CHECK(tree[leaf].quiet_plies == 12);
  tree[leaf].board = game.history()[1];
  tree[leaf].quiet_plies = 13;
  CHECK(tree.earlier_occurrences(tree[leaf]) == 1);
  tree[leaf].quiet_plies = 0;
  CHECK(tree.earlier_occurrences(tree[leaf]) == 0);
}

TEST_CASE("a tree can be started again") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  auto tree = tree_of(game, 3);
  tree.back_up(add_line(tree, rules, {1, 2}), 1, 1);
  tree.reset(game.position(), game.history(), game.legal());
  CHECK(tree.size() == 1);
  CHECK(tree.root().total_visits == 0);
  CHECK(tree.root().children == std::array<mcts::NodeIndex, 6>{});
  CHECK(add_line(tree, rules, {3, 4}) == 2);
}

TEST_CASE("a tree of 100 simulations stays within 16 KiB") {
  CHECK(101 * sizeof(mcts::Node) + sizeof(mcts::Tree) <= 16 * 1024);
}

}  // namespace
}  // namespace awale::test
