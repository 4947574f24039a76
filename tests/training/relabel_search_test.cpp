// Games searched again by another network, against one search at a time.
#include "training/relabel_search.hpp"

#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/random_games.hpp"
#include "training/search_record.hpp"
#include "training/trajectory_check.hpp"

using namespace awale;
using namespace awale::training;

namespace {

const std::vector<env::RuleSet>& two_rule_sets() {
  static const std::vector<env::RuleSet> rules = {env::preset("abapa"), env::preset("auale")};
  return rules;
}

std::vector<GameRecord> mixed_games() {
  std::vector<GameRecord> games;
  for (std::uint8_t index = 0; index < 2; ++index) {
    for (auto& game : tests::random_games(two_rule_sets()[index], 3)) {
      game.rules_index = index;
      game.plies[8].flags |= kTableValue;
      games.push_back(game);
    }
  }
  return games;
}

SearchRelabelSetup setup(int threads) {
  SearchRelabelSetup result;
  result.rules = two_rule_sets();
  result.search.simulations = 6;
  result.threads = threads;
  result.make_evaluator = [] { return std::make_unique<nn::HashEvaluator>(); };
  result.on_progress = [](std::uint64_t) {};
  result.interrupted = [] { return false; };
  return result;
}

bool same(const PlyRecord& left, const PlyRecord& right) {
  return left.visits == right.visits && left.policy == right.policy && left.prior == right.prior &&
         left.move_values == right.move_values && left.root_value == right.root_value &&
         left.root_margin_seeds == right.root_margin_seeds &&
         left.network_value == right.network_value && left.flags == right.flags &&
         left.network_margin_seeds == right.network_margin_seeds &&
         left.network_draw == right.network_draw && left.move == right.move;
}

// The ply as a search of it alone says, its past taken from the game as it is played.
PlyRecord search_alone(const env::RuleSet& rules, const env::Game& game,
                       const std::vector<env::Board>& history, const PlyRecord& before) {
  mcts::SearchConfig config;
  config.simulations = 6;
  mcts::BatchedSearch search(rules, config, 99);
  nn::HashEvaluator evaluator;
  const mcts::SearchRoot root{game.position(), history, 12345, 0, false};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  PlyRecord ply = before;
  record_search(result, config.margin_weight, true, ply);
  return ply;
}

}  // namespace

TEST_CASE("plies searched again are what a search of each alone says") {
  const auto before = mixed_games();
  auto after = before;
  SearchRelabelCounts counts;
  REQUIRE(relabel_by_search(setup(1), after, counts));
  std::uint64_t searched = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const auto& rules = two_rule_sets()[before[i].rules_index];
    REQUIRE(find_inconsistency(rules, after[i]) == std::nullopt);
    REQUIRE(after[i].outcome.margin_south_seeds == before[i].outcome.margin_south_seeds);
    env::Game game(rules, before[i].start);
    std::vector<env::Board> history;
    for (std::size_t k = 0; k < before[i].plies.size(); ++k) {
      if (game.position().quiet_plies == 0) history.clear();
      history.push_back(game.board());
      const auto& ply = after[i].plies[k];
      if ((ply.flags & kUnsearchedPly) != 0) {
        REQUIRE(same(ply, before[i].plies[k]));
      } else {
        ++searched;
        REQUIRE(same(ply, search_alone(rules, game, history, before[i].plies[k])));
        REQUIRE((ply.flags & (kFastSearch | kTableValue)) == 0);
        REQUIRE((ply.flags & kSampledMove) == (before[i].plies[k].flags & kSampledMove));
      }
      game.play(before[i].plies[k].move);
    }
  }
  CHECK(searched > 500);
  CHECK(counts.searched == searched);
  CHECK(counts.games == before.size());
  CHECK(counts.other_best > searched / 4);
  CHECK(counts.value_change > 0);
}

TEST_CASE("games searched again do not depend on the number of threads") {
  auto one = mixed_games();
  auto three = one;
  SearchRelabelCounts one_counts;
  SearchRelabelCounts three_counts;
  REQUIRE(relabel_by_search(setup(1), one, one_counts));
  REQUIRE(relabel_by_search(setup(3), three, three_counts));
  CHECK(one_counts.value_change == three_counts.value_change);
  for (std::size_t i = 0; i < one.size(); ++i) {
    for (std::size_t k = 0; k < one[i].plies.size(); ++k)
      REQUIRE(same(one[i].plies[k], three[i].plies[k]));
  }
}

TEST_CASE("what the same network says again changes nothing") {
  auto games = mixed_games();
  SearchRelabelCounts first;
  SearchRelabelCounts second;
  REQUIRE(relabel_by_search(setup(1), games, first));
  REQUIRE(relabel_by_search(setup(1), games, second));
  CHECK(second.searched == first.searched);
  CHECK(second.other_best + second.changed_sign == 0);
  CHECK(second.value_change + second.margin_change_seeds == 0);
}

TEST_CASE("an interruption is told, and progress adds up to the searched plies") {
  auto games = mixed_games();
  auto interrupted = setup(1);
  interrupted.interrupted = [] { return true; };
  SearchRelabelCounts counts;
  CHECK_FALSE(relabel_by_search(interrupted, games, counts));
  CHECK(counts.searched == 0);

  std::uint64_t done = 0;
  auto watched = setup(1);
  watched.on_progress = [&done](std::uint64_t plies) { done += plies; };
  REQUIRE(relabel_by_search(watched, games, counts));
  CHECK(done == counts.searched);
}
