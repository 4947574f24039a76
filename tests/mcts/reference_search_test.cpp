#include <memory>
#include <set>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

// What the compared positions and trees have touched, so that no case is missing unnoticed.
struct Coverage {
  int long_quiet_roots = 0;  // 20 quiet plies and more before the root
  int repeated_roots = 0;    // the root has occurred before
  int repeated_nodes = 0;    // a node below the root has, in a game that goes on
  int single_move_roots = 0;
  int solved_roots = 0;
  int solved_nodes = 0;  // that are no endings
  int bounded_nodes = 0;
  std::set<env::EndReason> ends;  // of the terminal nodes
};

void cover_node(const mcts::Tree& tree, const mcts::Node& node, const env::RuleSet& rules,
                Coverage& coverage) {
  if (!node.terminal()) {
    coverage.repeated_nodes += node.repetitions > 0 ? 1 : 0;
    coverage.solved_nodes += node.settled() ? 1 : 0;
    coverage.bounded_nodes += (node.flags & mcts::Node::kBounded) != 0 ? 1 : 0;
    return;
  }
  coverage.ends.insert(env::end_reason(rules, node.board, env::legal_moves(rules, node.board),
                                       node.repetitions + 1, tree.ply(node)));
}

// Every third root has simulations of its own, every fourth no noise.
std::vector<mcts::SearchRoot> varied_roots(const std::vector<env::Game>& games,
                                           const mcts::SearchConfig& config) {
  auto roots = roots_of(games);
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (i % 3 == 1) roots[i].simulations = 1 + static_cast<int>(i) % config.simulations;
    roots[i].noise = i % 4 != 3;
  }
  return roots;
}

// All games at once through the batched search, each alone through the reference.
void compare(const env::RuleSet& rules, const std::vector<env::Game>& games,
             const mcts::SearchConfig& config, Coverage& coverage) {
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, config, 1);
  std::vector<mcts::SearchResult> results(games.size());
  const auto roots = varied_roots(games, config);
  search.run(roots, evaluator, results);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto& position = games[i].position();
    INFO(rules.name << ", " << describe(config) << ", game " << i << ": " << position.board
                    << " at ply " << position.ply << ", quiet " << position.quiet_plies);
    const auto expected =
        reference_search(games[i], config, evaluator, {1, i, roots[i].simulations, roots[i].noise});
    CHECK(results[i].visits == expected.visits);
    CHECK(results[i].values == expected.values);
    CHECK(results[i].policy == expected.policy);
    CHECK(results[i].lower_seeds == expected.lower_seeds);
    CHECK(results[i].upper_seeds == expected.upper_seeds);
    CHECK(int{results[i].best} == int{expected.best});
    CHECK(results[i].priors == expected.priors);
    CHECK(results[i].margins_seeds == expected.margins_seeds);
    CHECK(int{results[i].playable} == int{expected.playable});
    CHECK(results[i].root_value == expected.root_value);
    CHECK(results[i].root_margin_seeds == expected.root_margin_seeds);
    CHECK(results[i].solved == expected.solved);
    CHECK(int{results[i].legal} == int{expected.legal});
    REQUIRE(same_result(results[i], expected));
    coverage.long_quiet_roots += position.quiet_plies >= 20 ? 1 : 0;
    coverage.repeated_roots += position.repetitions > 0 ? 1 : 0;
    coverage.single_move_roots += (games[i].legal() & (games[i].legal() - 1)) == 0 ? 1 : 0;
    coverage.solved_roots += results[i].solved ? 1 : 0;
    const mcts::Tree& tree = search.tree(static_cast<int>(i));
    for (int node = 0; node < tree.size(); ++node) {
      cover_node(tree, tree[static_cast<mcts::NodeIndex>(node)], rules, coverage);
    }
  }
}

// Repetitions are counted and never end a game.
env::RuleSet counting_rules() {
  env::RuleSet rules = env::preset("codingame");
  rules.name = "custom";
  rules.repetition_occurrence = 100;
  return rules;
}

std::vector<env::RuleSet> all_rules() {
  std::vector<env::RuleSet> all = {counting_rules()};
  for (const auto& name : env::preset_names())
    all.push_back(env::preset(name));
  return all;
}

void check_complete(const Coverage& coverage) {
  CHECK(coverage.long_quiet_roots > 50);
  CHECK(coverage.repeated_roots > 5);
  CHECK(coverage.repeated_nodes > 50);
  CHECK(coverage.single_move_roots > 20);
  CHECK(coverage.ends.count(env::EndReason::kTarget) == 1);
  CHECK(coverage.ends.count(env::EndReason::kNoMoves) == 1);
  CHECK(coverage.ends.count(env::EndReason::kRepetition) == 1);
}

TEST_CASE("batched search equals a naive one under every preset: PUCT without bounds") {
  Coverage coverage;
  auto config = puct(70);
  config.solve = false;
  auto greedy = config_of(mcts::Algorithm::kPuct, 33, 0.9F);
  greedy.solve = false;
  greedy.c_puct = 2;
  greedy.fpu_reduction = 0;
  auto single = puct(1);
  single.solve = false;
  for (const auto& rules : all_rules()) {
    compare(rules, random_games(rules, 150, 1), config, coverage);
    compare(rules, random_games(rules, 70, 2), greedy, coverage);
    compare(rules, random_games(rules, 20, 3), single, coverage);
  }
  check_complete(coverage);
  CHECK(coverage.bounded_nodes == 0);
}

TEST_CASE("batched search equals a naive one under every preset: PUCT with bounds and noise") {
  Coverage coverage;
  for (const auto& rules : all_rules()) {
    compare(rules, random_games(rules, 150, 4), puct(70), coverage);
    compare(rules, random_games(rules, 100, 5), noisy(puct(60)), coverage);
    compare(rules, random_games(rules, 40, 6), noisy(puct(5)), coverage);
  }
  check_complete(coverage);
  CHECK(coverage.solved_roots > 100);
  CHECK(coverage.solved_nodes > 1000);
  CHECK(coverage.bounded_nodes > coverage.solved_nodes);
}

TEST_CASE("batched search equals a naive one under every preset: Gumbel") {
  Coverage coverage;
  auto plain = gumbel(64);
  plain.solve = false;
  auto strange = noisy(config_of(mcts::Algorithm::kGumbel, 30, 0.9F));
  strange.considered_moves = 3;
  strange.c_visit = 10;
  strange.c_scale = 2;
  for (const auto& rules : all_rules()) {
    compare(rules, random_games(rules, 100, 7), plain, coverage);
    compare(rules, random_games(rules, 100, 8), gumbel(64), coverage);
    compare(rules, random_games(rules, 100, 9), noisy(gumbel(50)), coverage);
    compare(rules, random_games(rules, 60, 10), strange, coverage);
    compare(rules, random_games(rules, 20, 11), noisy(gumbel(2)), coverage);
  }
  check_complete(coverage);
  CHECK(coverage.solved_roots > 100);
  CHECK(coverage.solved_nodes > 1000);
}

TEST_CASE("batched search equals a naive one under every preset: several leaves a tree") {
  Coverage coverage;
  for (const auto& rules : all_rules()) {
    for (const int leaves : {2, 4, 17}) {
      for (auto config : {puct(50), noisy(puct(50)), gumbel(50), noisy(gumbel(50))}) {
        config.leaves = leaves;
        compare(rules, random_games(rules, 30, 12), config, coverage);
        config.solve = false;
        compare(rules, random_games(rules, 10, 13), config, coverage);
      }
    }
  }
  CHECK(coverage.solved_roots > 50);
  CHECK(coverage.solved_nodes > 1000);
}

TEST_CASE("batched search equals a naive one that passes up plain means or nearly the best value") {
  Coverage coverage;
  for (const auto algorithm : {mcts::Algorithm::kGumbel, mcts::Algorithm::kPuct}) {
    for (const float sharpness : {0.0F, 40.0F}) {
      auto config = config_of(algorithm, 60);
      config.backup_sharpness = sharpness;
      const auto rules = env::preset("abapa");
      compare(rules, random_games(rules, 30, 53), config, coverage);
    }
  }
  CHECK(coverage.solved_nodes > 0);
}

TEST_CASE("batched search equals a naive one near the ply limit") {
  Coverage coverage;
  for (const int limit : {1, 7, 30, 61}) {
    env::RuleSet rules = env::preset(limit % 2 == 0 ? "auale" : "codingame");
    rules.name = "custom";
    rules.ply_limit = limit;
    for (const auto& config : {puct(60), noisy(puct(60)), gumbel(60), noisy(gumbel(60))})
      compare(rules, random_games(rules, 30, static_cast<std::uint64_t>(limit)), config, coverage);
  }
  CHECK(coverage.ends.count(env::EndReason::kPlyLimit) == 1);
  CHECK(coverage.solved_roots > 30);
}

TEST_CASE("batched search equals a naive one when the third occurrence ends") {
  env::RuleSet rules;
  rules.name = "custom";
  rules.repetition_occurrence = 3;
  Coverage coverage;
  compare(rules, random_games(rules, 80, 14), puct(70), coverage);
  compare(rules, random_games(rules, 80, 14), noisy(gumbel(70)), coverage);
  CHECK(coverage.repeated_nodes > 50);
  CHECK(coverage.ends.count(env::EndReason::kRepetition) == 1);
}

TEST_CASE("a deep search of a long circling endgame equals the naive one") {
  const auto rules = counting_rules();
  const auto game = env::replay(rules, env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"),
                                "AaBbCcDdEeFfAaBbCcDdEeFfAaBb");
  REQUIRE(game.position().repetitions == 2);
  Coverage coverage;
  compare(rules, {game}, puct(1000), coverage);
  compare(rules, {game}, gumbel(1000), coverage);
  CHECK(coverage.repeated_nodes > 50);
}

TEST_CASE("batched search equals a naive one with an endgame table in its leaves") {
  Coverage coverage;
  for (const auto& rules : all_rules()) {
    const auto table = std::make_shared<const env::EndgameTable>(
        small_table(rules, rules.name == "awari" ? 11 : 9));
    for (auto config : {puct(70), noisy(puct(60)), gumbel(64), noisy(gumbel(50)), gumbel(1)}) {
      config.endgame = table;
      compare(rules, random_games(rules, 80, 15), config, coverage);
      config.leaves = 3;
      compare(rules, random_games(rules, 20, 16), config, coverage);
    }
  }
  CHECK(coverage.solved_roots > 300);
  CHECK(coverage.solved_nodes > 1000);
}

}  // namespace
}  // namespace awale::test
