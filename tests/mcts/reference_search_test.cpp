#include <set>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
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
  std::set<env::EndReason> ends;  // of the terminal nodes
};

void cover_node(const mcts::Tree& tree, const mcts::Node& node, const env::RuleSet& rules,
                Coverage& coverage) {
  if (!node.terminal()) {
    coverage.repeated_nodes += node.repetitions > 0 ? 1 : 0;
    return;
  }
  coverage.ends.insert(env::end_reason(rules, node.board, env::legal_moves(rules, node.board),
                                       node.repetitions + 1, tree.ply(node)));
}

// All games at once through the batched search, each alone through the reference.
void compare(const env::RuleSet& rules, const std::vector<env::Game>& games,
             const mcts::SearchConfig& config, Coverage& coverage) {
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, config, 1);
  std::vector<mcts::SearchResult> results(games.size());
  search.run(roots_of(games), evaluator, results);
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto& position = games[i].position();
    INFO(rules.name << ", " << config.simulations << " simulations, game " << i << ": "
                    << position.board << " at ply " << position.ply << ", quiet "
                    << position.quiet_plies);
    const auto expected = reference_search(games[i], config, evaluator);
    CHECK(results[i].visits == expected.visits);
    CHECK(results[i].values == expected.values);
    REQUIRE(same_result(results[i], expected));
    coverage.long_quiet_roots += position.quiet_plies >= 20 ? 1 : 0;
    coverage.repeated_roots += position.repetitions > 0 ? 1 : 0;
    coverage.single_move_roots += (games[i].legal() & (games[i].legal() - 1)) == 0 ? 1 : 0;
    const mcts::Tree& tree = search.tree(static_cast<int>(i));
    for (int node = 0; node < tree.size(); ++node) {
      cover_node(tree, tree[static_cast<mcts::NodeIndex>(node)], rules, coverage);
    }
  }
}

mcts::SearchConfig config_of(int simulations, float c_puct, float fpu_reduction,
                             float margin_weight) {
  mcts::SearchConfig config;
  config.simulations = simulations;
  config.c_puct = c_puct;
  config.fpu_reduction = fpu_reduction;
  config.margin_weight = margin_weight;
  return config;
}

// Repetitions are counted and never end a game.
env::RuleSet counting_rules() {
  env::RuleSet rules = env::preset("codingame");
  rules.name = "custom";
  rules.repetition_occurrence = 100;
  return rules;
}

TEST_CASE("batched search equals a naive recursive search under every preset") {
  Coverage coverage;
  std::vector<env::RuleSet> all = {counting_rules()};
  for (const auto& name : env::preset_names())
    all.push_back(env::preset(name));
  for (const auto& rules : all) {
    compare(rules, random_games(rules, 200, 1), config_of(70, 0.5F, 0.2F, 0.1F), coverage);
    compare(rules, random_games(rules, 100, 2), config_of(33, 2.0F, 0.0F, 0.9F), coverage);
    compare(rules, random_games(rules, 20, 3), config_of(1, 0.5F, 0.2F, 0.0F), coverage);
  }
  CHECK(coverage.long_quiet_roots > 50);
  CHECK(coverage.repeated_roots > 5);
  CHECK(coverage.repeated_nodes > 50);
  CHECK(coverage.single_move_roots > 20);
  CHECK(coverage.ends.count(env::EndReason::kTarget) == 1);
  CHECK(coverage.ends.count(env::EndReason::kNoMoves) == 1);
  CHECK(coverage.ends.count(env::EndReason::kRepetition) == 1);
}

TEST_CASE("batched search equals a naive recursive search near the ply limit") {
  Coverage coverage;
  for (const int limit : {1, 7, 30, 61}) {
    env::RuleSet rules = env::preset(limit % 2 == 0 ? "auale" : "codingame");
    rules.name = "custom";
    rules.ply_limit = limit;
    compare(rules, random_games(rules, 30, static_cast<std::uint64_t>(limit)),
            config_of(60, 0.5F, 0.2F, 0.1F), coverage);
  }
  CHECK(coverage.ends.count(env::EndReason::kPlyLimit) == 1);
}

TEST_CASE("batched search equals a naive recursive search when the third occurrence ends") {
  env::RuleSet rules;
  rules.name = "custom";
  rules.repetition_occurrence = 3;
  Coverage coverage;
  compare(rules, random_games(rules, 120, 9), config_of(70, 0.5F, 0.2F, 0.1F), coverage);
  CHECK(coverage.repeated_nodes > 50);
  CHECK(coverage.ends.count(env::EndReason::kRepetition) == 1);
}

TEST_CASE("a deep search of a long circling endgame equals the naive one") {
  const auto rules = counting_rules();
  const auto game = env::replay(rules, env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S"),
                                "AaBbCcDdEeFfAaBbCcDdEeFfAaBb");
  REQUIRE(game.position().repetitions == 2);
  Coverage coverage;
  compare(rules, {game}, config_of(1500, 0.5F, 0.2F, 0.1F), coverage);
  CHECK(coverage.repeated_nodes > 50);
}

}  // namespace
}  // namespace awale::test
