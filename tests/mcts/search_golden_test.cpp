// Whole trees as text. AWALE_UPDATE_GOLDEN=1 writes them anew: look at what has changed, and why.
#include <iomanip>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace awale::test {
namespace {

std::string searched(const env::Game& game, int simulations, float noise_weight = 0) {
  mcts::SearchConfig config;
  config.simulations = simulations;
  config.noise_weight = noise_weight;
  mcts::BatchedSearch search(game.rules(), config, 1);
  nn::HashEvaluator evaluator;
  const mcts::SearchRoot root{game.position(), game.history(), 0};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});

  std::ostringstream text;
  text << env::describe(game.rules()) << " " << env::to_text(game.board()) << "\nline";
  env::Side side = game.board().to_move;
  for (const env::Move move : search.principal_variation(0, 100)) {
    text << " " << env::move_letter(side, move);
    side = env::opponent(side);
  }
  text << std::fixed << std::setprecision(4) << "\nvalue " << std::showpos << result.root_value
       << std::noshowpos << "\n"
       << search.tree(0);
  return text.str();
}

TEST_CASE("golden tree: the start position") {
  check_golden("search_start.txt", searched(env::Game(env::preset("abapa")), 60));
}

TEST_CASE("golden tree: the start position with root noise") {
  check_golden("search_noise.txt", searched(env::Game(env::preset("abapa")), 20, 0.25F));
}

TEST_CASE("golden tree: North close to 25, sweep at the target") {
  const auto board = env::parse_board("1-2-0-1-3-0-0-2-1-0-1-1-18-18-N", env::SeedCount::kGame);
  check_golden("search_target.txt", searched(env::Game(env::preset("abapa"), board), 60));
}

TEST_CASE("golden tree: repetitions of a circling endgame") {
  const auto board = env::parse_board("1-1-0-0-0-0-1-0-0-0-0-0-22-23-S");
  const auto game = env::replay(env::preset("awari"), board, "BaAbBcCdDeEf");
  check_golden("search_repetition.txt", searched(game, 120));
}

TEST_CASE("golden tree: the ply limit, stores as they stand") {
  env::RuleSet rules = env::preset("codingame");
  rules.name = "custom";
  rules.ply_limit = 8;
  check_golden("search_ply_limit.txt",
               searched(env::replay(rules, env::initial_board(), "FfBeB"), 60));
}

}  // namespace
}  // namespace awale::test
