#include "mcts/root_policy.hpp"

#include <cmath>

#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

mcts::SearchResult result_of(const std::array<std::uint32_t, env::kMoves>& visits) {
  mcts::SearchResult result;
  result.visits = visits;
  return result;
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
  auto result = result_of({3, 9, 0, 8, 0, 0});
  result.values = {0.9F, -0.5F, 0, 0.1F, 0, 0};
  CHECK(mcts::best_move(result) == 1);
}

TEST_CASE("among equally visited moves value, then margin, then the lowest index decides") {
  auto result = result_of({4, 4, 1, 4, 4, 0});
  CHECK(mcts::best_move(result) == 0);
  result.values = {-0.2F, -0.1F, 0.5F, -0.1F, -0.1F, 0};
  CHECK(mcts::best_move(result) == 1);
  result.margins_seeds = {5, -3, 9, -2, -2, 0};
  CHECK(mcts::best_move(result) == 3);
}

TEST_CASE("a lost position's only visited move is preferred to unvisited ones") {
  auto result = result_of({0, 0, 0, 0, 0, 7});
  result.values[5] = -1;
  CHECK(mcts::best_move(result) == 5);
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

TEST_CASE("the policy target is the share of the visits") {
  const auto shares = mcts::visit_shares(result_of({0, 16, 0, 48, 0, 0}));
  CHECK(shares == std::array<float, env::kMoves>{0, 0.25F, 0, 0.75F, 0, 0});
}

}  // namespace
}  // namespace awale::test
