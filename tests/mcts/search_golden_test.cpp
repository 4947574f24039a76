// Whole trees as text. AWALE_UPDATE_GOLDEN=1 writes them anew: look at what has changed, and why.
#include <iomanip>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/golden.hpp"

namespace awale::test {
namespace {

// PUCT without bounds.
mcts::SearchConfig plain(int simulations) {
  auto config = puct(simulations);
  config.solve = false;
  return config;
}

std::string searched(const env::Game& game, const mcts::SearchConfig& config) {
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
       << std::noshowpos << (result.solved ? " solved" : "") << "\npolicy";
  for (const float share : result.policy)
    text << ' ' << share;
  text << '\n' << search.tree(0);
  return text.str();
}

TEST_CASE("golden tree: the start position") {
  check_golden("search_start.txt", searched(env::Game(env::preset("abapa")), plain(60)));
}

TEST_CASE("golden tree: the start position with root noise") {
  auto config = plain(20);
  config.noise_weight = 0.25F;
  check_golden("search_noise.txt", searched(env::Game(env::preset("abapa")), config));
}

TEST_CASE("golden tree: North close to 25, sweep at the target") {
  const auto board = env::parse_board("1-2-0-1-3-0-0-2-1-0-1-1-18-18-N", env::SeedCount::kGame);
  check_golden("search_target.txt", searched(env::Game(env::preset("abapa"), board), plain(60)));
}

TEST_CASE("golden tree: repetitions of a circling endgame") {
  const auto board = env::parse_board("1-1-0-0-0-0-1-0-0-0-0-0-22-23-S");
  const auto game = env::replay(env::preset("awari"), board, "BaAbBcCdDeEf");
  check_golden("search_repetition.txt", searched(game, plain(120)));
}

TEST_CASE("golden tree: the ply limit, stores as they stand") {
  env::RuleSet rules = env::preset("codingame");
  rules.name = "custom";
  rules.ply_limit = 8;
  check_golden("search_ply_limit.txt",
               searched(env::replay(rules, env::initial_board(), "FfBeB"), plain(60)));
}

TEST_CASE("golden tree: Gumbel at the start position") {
  check_golden("search_gumbel.txt", searched(env::Game(env::preset("abapa")), gumbel(60)));
}

TEST_CASE("golden tree: Gumbel with noise, three moves considered") {
  auto config = noisy(gumbel(30));
  config.considered_moves = 3;
  check_golden("search_gumbel_noise.txt", searched(env::Game(env::preset("abapa")), config));
}

TEST_CASE("golden tree: bounds that pass up") {
  const auto board = env::parse_board("0-1-0-0-2-0-0-1-0-0-0-1-21-22-S");
  for (const auto& config : {puct(80), gumbel(80)}) {
    check_golden("search_solve_" + to_string(config.algorithm) + ".txt",
                 searched(env::Game(env::preset("abapa"), board), config));
  }
}

TEST_CASE("golden tree: four leaves at a time") {
  for (auto config : {puct(40), gumbel(40)}) {
    config.leaves = 4;
    check_golden("search_leaves_" + to_string(config.algorithm) + ".txt",
                 searched(env::Game(env::preset("abapa")), config));
  }
}

}  // namespace
}  // namespace awale::test
