// With an evaluator that knows nothing, the search must come to the exact value of small endgames.
#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/utility.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/exact_solver.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

// Endgames of 1..5 seeds, some plies into a game that ends at `rules.ply_limit`.
std::vector<env::Game> endgames(const env::RuleSet& rules, int count) {
  std::vector<env::Game> games;
  for (std::uint64_t id = 0; static_cast<int>(games.size()) < count; ++id) {
    env::RandomStream stream(41, env::RandomPurpose::kTest, id, 0);
    const auto board = random_board(static_cast<int>(1 + stream.below(5)), stream);
    if (env::Game(rules, board).over()) continue;
    const int plies = rules.ply_limit - static_cast<int>(1 + stream.below(9));
    auto game = random_game(rules, board, plies, stream);
    // Positions with a choice, so that there is something to find.
    if ((game.legal() & (game.legal() - 1)) != 0) games.push_back(std::move(game));
  }
  return games;
}

int result_of_margin(int margin) {
  return (margin > 0 ? 1 : 0) - (margin < 0 ? 1 : 0);
}

TEST_CASE("the search converges to the exact value of small endgames from both seats") {
  int seats[2] = {};
  int results[3] = {};
  for (const auto* name : {"abapa", "awari", "valencian"}) {
    env::RuleSet rules = env::preset(name);
    rules.name = "custom";
    rules.ply_limit = 24;
    const auto games = endgames(rules, 40);
    auto config = puct(12000);
    config.solve = false;
    mcts::BatchedSearch search(rules, config, 1);
    nn::UniformEvaluator evaluator;
    std::vector<mcts::SearchResult> found(games.size());
    search.run(roots_of(games), evaluator, found);
    for (std::size_t i = 0; i < games.size(); ++i) {
      const int exact = exact_margin(games[i]);
      const env::Move move = found[i].best;
      env::Game next = games[i];
      next.play(move);
      INFO(name << " " << games[i].board() << " at ply " << games[i].position().ply << ": exact "
                << exact << ", search " << found[i].values[move] << " by move " << int{move});
      CHECK(result_of_margin(-exact_margin(next)) == result_of_margin(exact));
      CHECK(found[i].values[move] ==
            Approx(mcts::terminal_utility(exact, config.margin_weight)).margin(0.1));
      CHECK(found[i].margins_seeds[move] == Approx(exact).margin(1.5));
      ++seats[static_cast<int>(games[i].board().to_move)];
      ++results[1 + result_of_margin(exact)];
    }
  }
  CHECK(std::min(seats[0], seats[1]) > 30);
  CHECK(std::min({results[0], results[1], results[2]}) > 5);
}

}  // namespace
}  // namespace awale::test
