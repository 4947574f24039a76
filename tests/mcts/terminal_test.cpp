// Endings below the root: their sign, their size, and that the search finds them, from both seats.
#include <algorithm>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/utility.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

mcts::SearchResult search_one(const env::Game& game, mcts::SearchConfig config,
                              nn::Evaluator& evaluator) {
  mcts::BatchedSearch search(game.rules(), config, 1);
  const mcts::SearchRoot root{game.position(), game.history(), 0};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  return result;
}

mcts::SearchResult search_one(const env::Game& game, const mcts::SearchConfig& config) {
  nn::UniformEvaluator evaluator;
  return search_one(game, config, evaluator);
}

// Both algorithms, with and without bounds.
std::vector<mcts::SearchConfig> all_configs(int simulations) {
  std::vector<mcts::SearchConfig> configs;
  for (auto config : {puct(simulations), gumbel(simulations)}) {
    for (const bool solve : {false, true}) {
      config.solve = solve;
      configs.push_back(config);
    }
  }
  return configs;
}

// Final seeds of the player who makes `move` minus the opponent's, if the game ends with it.
int margin_of_last_move(const env::Game& game, env::Move move) {
  env::Game next = game;
  next.play(move);
  const int south = next.outcome().margin_south_seeds;
  return game.board().to_move == env::Side::kSouth ? south : -south;
}

TEST_CASE("a move that ends the game is worth its final margin to the player who makes it") {
  env::RuleSet rules;
  rules.name = "custom";
  rules.ply_limit = 1;
  int seats[2] = {};
  nn::HashEvaluator evaluator;
  for (const auto& game : random_games(rules, 200, 31)) {
    ++seats[static_cast<int>(game.board().to_move)];
    for (const auto& config : all_configs(24)) {
      const auto result = search_one(game, config, evaluator);
      for (env::Move move = 0; move < env::kMoves; ++move) {
        if (result.visits[move] == 0) continue;
        const int margin = margin_of_last_move(game, move);
        INFO(describe(config) << ", " << game.board() << " move " << int{move});
        CHECK(result.margins_seeds[move] == static_cast<float>(margin));
        CHECK(result.values[move] == Approx(mcts::terminal_utility(margin, 0.1F)));
        if (config.solve) CHECK(result.lower_seeds[move] == margin);
        if (config.solve) CHECK(result.upper_seeds[move] == margin);
      }
    }
  }
  CHECK(seats[0] > 50);
  CHECK(seats[1] > 50);
}

TEST_CASE("a search of endings only asks the network once, about the root") {
  env::RuleSet rules;
  rules.name = "custom";
  rules.ply_limit = 1;
  const env::Game game(rules);
  mcts::SearchConfig config;
  config.simulations = 500;
  mcts::BatchedSearch search(rules, config, 1);
  nn::HashEvaluator evaluator;
  const mcts::SearchRoot root{game.position(), game.history(), 0};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  CHECK(search.stats().evaluations == 1);
  CHECK(search.stats().simulations == 500);
  CHECK(search.tree(0).size() == 7);
}

// A move that wins at once, for each position of a random sample that has exactly one.
TEST_CASE("a move that wins at once is found from both seats") {
  int found[2] = {};
  for (const auto* name : {"abapa", "auale", "valencian", "awari", "codingame"}) {
    for (const auto& game : random_games(env::preset(name), 400, 32)) {
      int wins = 0;
      env::Move winning = 0;
      for (env::Move move = 0; move < env::kMoves; ++move) {
        if ((game.legal() >> move & 1) == 0) continue;
        env::Game next = game;
        next.play(move);
        if (!next.over() || margin_of_last_move(game, move) <= 0) continue;
        ++wins;
        winning = move;
      }
      if (wins != 1) continue;
      ++found[static_cast<int>(game.board().to_move)];
      for (const auto& config : all_configs(64)) {
        const auto result = search_one(game, config);
        const auto best = result.best;
        INFO(name << " " << describe(config) << " " << game.board() << " move " << int{winning});
        CHECK(result.values[winning] > 0.9F);
        // Another move may win as surely a little later.
        CHECK((best == winning || result.values[best] > 0.9F));
        if (config.solve) CHECK(result.lower_seeds[best] > 0);
      }
    }
  }
  CHECK(found[0] > 30);
  CHECK(found[1] > 30);
}

TEST_CASE("a capture that decides the game is found from both seats") {
  // F takes f, 2 seeds, and reaches 25; every other move leaves them to be saved.
  const auto south = env::parse_board("4-4-0-0-0-1-1-5-5-4-0-0-23-1-S");
  for (const auto& board : {south, other_seat(south)}) {
    const env::Game game(env::preset("codingame"), board);
    for (const auto& config : all_configs(40)) {
      const auto result = search_one(game, config);
      INFO(describe(config) << ", " << board);
      CHECK(result.best == 5);
      CHECK(result.values[5] == Approx(mcts::terminal_utility(24, 0.1F)));
      CHECK(result.root_value > 0.5F);
    }
  }
}

TEST_CASE("a threat to lose at once is met from both seats") {
  // The opponent threatens to take the mover's first pit (2 seeds after sowing) with his last one.
  const auto south = env::parse_board("1-4-1-0-0-4-4-4-4-0-0-1-2-23-S");
  for (const auto& board : {south, other_seat(south)}) {
    const env::Game game(env::preset("codingame"), board);
    INFO(board);
    for (env::Move move = 1; move < env::kMoves; ++move) {
      if ((game.legal() >> move & 1) == 0) continue;
      env::Game next = game;
      next.play(move);
      next.play(5);
      REQUIRE(next.over());
    }
    for (const auto& config : all_configs(200)) {
      INFO(describe(config));
      CHECK(search_one(game, config).best == 0);
    }
  }
}

TEST_CASE("the only legal move is searched too and its value reported") {
  const auto south = env::parse_board("6-0-0-0-1-0-0-0-0-0-0-0-20-21-S");
  for (const auto& board : {south, other_seat(south)}) {
    const env::Game game(env::preset("abapa"), board);
    REQUIRE(game.legal() == 0b000001);
    for (const auto& config : all_configs(50)) {
      const auto result = search_one(game, config);
      CHECK(result.visits == std::array<std::uint32_t, 6>{50, 0, 0, 0, 0, 0});
      CHECK(result.priors == std::array<float, 6>{1, 0, 0, 0, 0, 0});
      CHECK(result.policy == std::array<float, 6>{1, 0, 0, 0, 0, 0});
      CHECK(result.root_value == result.values[0]);
    }
  }
}

TEST_CASE("a repetition is worth what the rule gives, by the game's history before the root") {
  // South 21, North 23: the last ply repeats the start and North wins by 25 to 23.
  const auto south = env::parse_board("0-0-0-0-0-2-0-0-0-0-0-2-21-23-S");
  for (const auto& start : {south, other_seat(south)}) {
    const bool swapped = start.to_move == env::Side::kNorth;
    const auto game =
        env::replay(env::preset("abapa"), start, swapped ? "fFaAbBcCdDe" : "FfAaBbCcDdE");
    const env::Move last = 4;
    REQUIRE((game.legal() >> last & 1) == 1);
    for (const auto& config : all_configs(30)) {
      const auto result = search_one(game, config);
      CHECK(result.margins_seeds[last] == 2);
      CHECK(result.values[last] == Approx(mcts::terminal_utility(2, 0.1F)));
      // Without the history the game would go on.
      const env::Game fresh(env::preset("abapa"), game.board());
      CHECK(search_one(fresh, config).margins_seeds[last] != 2);
    }
  }
}

TEST_CASE("a certain win is never left for a move that may not win, with noise or without") {
  int chosen = 0;  // where another move has more visits
  for (const auto* name : {"abapa", "awari", "codingame"}) {
    const auto rules = env::preset(name);
    const auto games = random_games(rules, 400, 33);
    for (const auto& config : {puct(48), gumbel(48), noisy(puct(48)), noisy(gumbel(48))}) {
      nn::HashEvaluator evaluator;
      mcts::BatchedSearch search(rules, config, 1);
      std::vector<mcts::SearchResult> results(games.size());
      search.run(roots_of(games), evaluator, results);
      for (std::size_t i = 0; i < games.size(); ++i) {
        const auto& result = results[i];
        int most = 0;
        bool certain = false;
        for (env::Move move = 0; move < env::kMoves; ++move) {
          if ((result.legal >> move & 1) == 0) continue;
          certain = certain || result.lower_seeds[move] > 0;
          most = std::max(most, static_cast<int>(result.visits[move]));
        }
        if (!certain) continue;
        INFO(name << " " << describe(config) << " " << games[i].board());
        CHECK(result.lower_seeds[result.best] > 0);
        chosen += static_cast<int>(result.visits[result.best]) < most ? 1 : 0;
      }
    }
  }
  CHECK(chosen > 0);
}

}  // namespace
}  // namespace awale::test
