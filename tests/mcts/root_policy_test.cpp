#include "mcts/root_policy.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

using Counts = std::array<std::uint16_t, env::kMoves>;
using Seeds = std::array<std::int8_t, env::kMoves>;

mcts::SearchResult result_of(const std::array<std::uint32_t, env::kMoves>& visits) {
  mcts::SearchResult result;
  result.visits = visits;
  result.playable = 0b111111;
  return result;
}

// All moves are legal; `means` are the values of the visited ones.
mcts::Node node_of(const Counts& visits, const std::array<float, env::kMoves>& means) {
  mcts::Node node;
  node.legal = 0b111111;
  node.visits = visits;
  for (int move = 0; move < env::kMoves; ++move) {
    node.value_sums[move] = means[move] * visits[move];
    node.total_visits = static_cast<std::uint16_t>(node.total_visits + visits[move]);
  }
  return node;
}

void bound(mcts::Node& node, const Seeds& lower, const Seeds& upper) {
  node.lower_seeds = lower;
  node.upper_seeds = upper;
  node.flags |= mcts::Node::kBounded;
}

env::Move best(const mcts::Node& node) {
  return mcts::most_visited_move(node, mcts::SearchConfig{});
}

// How often each move is drawn in `draws` games.
std::array<double, env::kMoves> frequencies(const mcts::SearchResult& result, double temperature,
                                            int draws) {
  std::array<double, env::kMoves> counts = {};
  for (int game = 0; game < draws; ++game) {
    env::RandomStream stream(3, env::RandomPurpose::kMove, static_cast<std::uint64_t>(game), 0);
    counts[mcts::sample_move(result, temperature, stream)] += 1.0 / draws;
  }
  return counts;
}

TEST_CASE("the best move is the most visited, not that of the highest value") {
  CHECK(best(node_of({3, 9, 0, 8, 0, 0}, {0.9F, -0.5F, 0, 0.1F, 0, 0})) == 1);
}

TEST_CASE("among equally visited moves the value, then the lowest index decides") {
  CHECK(best(node_of({4, 4, 1, 4, 4, 0}, {})) == 0);
  CHECK(best(node_of({4, 4, 1, 4, 4, 0}, {-0.2F, -0.1F, 0.5F, -0.1F, -0.1F, 0})) == 1);
}

TEST_CASE("a lost position's only visited move is preferred to unvisited ones") {
  CHECK(best(node_of({0, 0, 0, 0, 0, 7}, {0, 0, 0, 0, 0, -1})) == 5);
}

TEST_CASE("a certain win is played however few visits it has") {
  auto node = node_of({90, 3, 1, 0, 0, 0}, {0.8F, 0.7F, 0.9F, 0, 0, 0});
  bound(node, {-9, 2, -9, -9, -9, -9}, {9, 9, 9, 9, 9, 9});
  CHECK(best(node) == 1);
  CHECK(mcts::playable_moves(node) == 0b000010);
}

TEST_CASE("a move that is certainly worse than another one is not played") {
  auto node = node_of({90, 3, 1, 0, 0, 0}, {0.1F, -0.2F, -0.3F, 0, 0, 0});
  bound(node, {-9, -2, -9, -9, -9, -9}, {-3, 0, -4, -3, -3, -3});
  CHECK(best(node) == 1);
}

TEST_CASE("of a decided position only a move with the certain margin is played") {
  // Move 0 may be as good as move 1, but nobody has proved it.
  auto node = node_of({90, 3, 1, 0, 0, 0}, {0.1F, -0.2F, -0.3F, 0, 0, 0});
  bound(node, {-9, 0, -9, -9, -9, -9}, {0, 0, -4, -3, -3, -3});
  node.flags |= mcts::Node::kSolved;
  node.final_margin_seeds = 0;
  CHECK(best(node) == 1);
  // A won position is won by the larger margin.
  bound(node, {2, 6, 4, -9, -9, -9}, {6, 6, 4, -3, -3, -3});
  node.final_margin_seeds = 6;
  CHECK(best(node) == 1);
}

TEST_CASE("at temperature 1 moves are drawn in proportion to their visits") {
  const auto drawn = frequencies(result_of({10, 0, 30, 0, 0, 60}), 1.0, 20000);
  CHECK(drawn[0] == Approx(0.1).margin(0.01));
  CHECK(drawn[1] == 0);
  CHECK(drawn[2] == Approx(0.3).margin(0.015));
  CHECK(drawn[5] == Approx(0.6).margin(0.015));
}

TEST_CASE("temperature sharpens below 1 and flattens above") {
  const auto result = result_of({0, 1, 3, 0, 0, 0});
  CHECK(frequencies(result, 0.5, 20000)[2] == Approx(0.9).margin(0.01));
  CHECK(frequencies(result, 2.0, 20000)[2] ==
        Approx(std::sqrt(3.0) / (1 + std::sqrt(3.0))).margin(0.015));
  CHECK(frequencies(result, 1e-3, 100)[2] == Approx(1));
}

TEST_CASE("a drawn move depends on the stream alone") {
  const auto result = result_of({5, 5, 5, 5, 5, 5});
  env::RandomStream first(3, env::RandomPurpose::kMove, 4, 5);
  env::RandomStream second(3, env::RandomPurpose::kMove, 4, 5);
  CHECK(mcts::sample_move(result, 1.0, first) == mcts::sample_move(result, 1.0, second));
}

TEST_CASE("win minus loss is the root's utility without the margin's part") {
  mcts::SearchResult result;
  result.root_value = 0.9F * 0.4F + 0.1F * -0.25F;
  result.root_margin_seeds = -6;
  CHECK(mcts::root_win_loss(result, 0.1F) == Approx(0.4));
  result.root_value = 1;
  result.root_margin_seeds = -24;
  CHECK(mcts::root_win_loss(result, 0.1F) == 1.0F);
}

}  // namespace
}  // namespace awale::test
