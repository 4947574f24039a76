#include "mcts/tree_reuse.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <sstream>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "mcts/puct.hpp"
#include "mcts/simulation.hpp"
#include "mcts/utility.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/reference_search.hpp"
#include "tests/mcts/small_boards.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {
namespace {

mcts::SearchConfig reusing(mcts::SearchConfig config) {
  config.reuse_tree = true;
  return config;
}

int total_visits(const mcts::SearchResult& result) {
  return std::accumulate(result.visits.begin(), result.visits.end(), 0);
}

// Everything in a subtree that a search reads, depth first, children by move.
void write_subtree(std::ostream& stream, const mcts::Tree& tree, mcts::NodeIndex index, int depth) {
  const mcts::Node& node = tree[index];
  stream << depth << ' ' << env::to_text(node.board) << ' ' << tree.ply(node) << ' '
         << node.quiet_plies << ' ' << int{node.repetitions} << ' ' << int{node.flags} << ' '
         << int{node.final_margin_seeds} << ' ' << node.utility << ' ' << node.total_visits << ' '
         << int{node.next};
  for (int move = 0; move < env::kMoves; ++move) {
    stream << ' ' << node.priors[move] << '/' << node.visits[move] << '/' << node.value_sums[move]
           << '/' << int{node.lower_seeds[move]} << '/' << int{node.upper_seeds[move]};
  }
  stream << '\n';
  for (int move = 0; move < env::kMoves; ++move) {
    if (node.children[move] == mcts::kNoChild) continue;
    const mcts::Node& child = tree[node.children[move]];
    stream << (child.parent == index) << int{child.parent_move == move}
           << (child.depth == node.depth + 1) << ' ';
    write_subtree(stream, tree, node.children[move], depth + 1);
  }
}

std::string subtree(const mcts::Tree& tree, mcts::NodeIndex index) {
  std::ostringstream text;
  write_subtree(text, tree, index, 0);
  return text.str();
}

// The tree of a search, step by step.
mcts::Tree grown(const env::Game& game, int simulations) {
  nn::HashEvaluator evaluator;
  const auto config = puct(simulations);
  mcts::Tree tree(simulations + 1);
  tree.reset(game.position(), game.history(), game.legal());
  nn::Evaluation evaluation;
  evaluator.evaluate(game.rules(), {&game.position(), 1}, {&evaluation, 1});
  mcts::expand(tree.root(), evaluation, config);
  mcts::RootSearch root;
  root.config = &config;
  for (int i = 0; i < simulations; ++i) {
    const auto leaf = mcts::select_leaf(tree, game.rules(), root);
    if (tree[leaf].settled()) {
      const int margin = tree[leaf].final_margin_seeds;
      tree.pass_up_bounds(leaf, tree[leaf].final_margin_seeds, tree[leaf].final_margin_seeds);
      tree.back_up(leaf, mcts::terminal_utility(margin, 0.1F), static_cast<float>(margin));
    } else {
      const auto position = tree.position(tree[leaf]);
      evaluator.evaluate(game.rules(), {&position, 1}, {&evaluation, 1});
      const mcts::Value value = mcts::expand(tree[leaf], evaluation, config);
      tree.back_up(leaf, value.utility, value.margin_seeds);
    }
    mcts::pass_up_means(tree, leaf, config);
    mcts::choose_next(tree, leaf, config);
  }
  return tree;
}

TEST_CASE("making a node the root keeps its subtree as it is and nothing else") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 25, 71);
  int nodes = 0;
  for (const auto& game : games) {
    const int size = grown(game, 80).size();
    for (int i = 0; i < size; i += 7) {
      mcts::Tree tree = grown(game, 80);
      const auto index = static_cast<mcts::NodeIndex>(i);
      const std::string expected = subtree(tree, index);
      const env::Board board = tree[index].board;
      tree.make_root(index, {&board, 1});
      CHECK(subtree(tree, mcts::kRoot) == expected);
      CHECK(tree.size() == std::count(expected.begin(), expected.end(), '\n'));
      CHECK(tree.root().parent == mcts::kRoot);
      CHECK(tree.root().depth == 0);
      ++nodes;
    }
  }
  CHECK(nodes > 150);
}

// Whole games; each searched position against a naive search that keeps its nodes. Both know a
// table of so many seeds, 0: none.
void play_beside_reference(mcts::SearchConfig config, int plies_a_search, int table_seeds = 0) {
  int reused = 0;
  for (const auto* name : {"abapa", "awari"}) {
    const auto rules = env::preset(name);
    if (table_seeds > 0) {
      config.endgame = std::make_shared<const env::EndgameTable>(small_table(rules, table_seeds));
    }
    for (const auto& start : random_games(rules, 6, 72)) {
      env::Game game = start;
      nn::HashEvaluator evaluator;
      mcts::BatchedSearch search(rules, config, 1);
      ReferenceSearch reference(config, evaluator);
      env::RandomStream stream(73, env::RandomPurpose::kTest, 0, 0);
      while (!game.over()) {
        const mcts::SearchRoot root{game.position(), game.history(), 9};
        mcts::SearchResult result;
        search.run({&root, 1}, evaluator, {&result, 1});
        INFO(name << " " << describe(config) << ": " << game.board() << " at ply "
                  << game.position().ply);
        REQUIRE(same_result(result, reference.run(game, {1, 9})));
        CHECK((result.legal == game.legal() || table_seeds > 0));
        CHECK(total_visits(result) >= config.simulations);
        CHECK(total_visits(result) <= 4 * config.simulations);
        reused += total_visits(result) > config.simulations ? 1 : 0;
        game.play(result.best);
        for (int ply = 1; ply < plies_a_search && !game.over(); ++ply)
          game.play(env::random_move(game.legal(), stream));
      }
    }
  }
  CHECK(reused > 10);
}

TEST_CASE("a game played with one tree equals a naive search that keeps its nodes") {
  for (const auto& config : {reusing(puct(60)), reusing(gumbel(60))}) {
    play_beside_reference(config, 1);
    play_beside_reference(config, 2);
    auto other = noisy(config);
    play_beside_reference(other, 1);
    other.leaves = 4;
    play_beside_reference(other, 2);
  }
}

TEST_CASE("likewise with an endgame table, which may rule out moves of the new root") {
  play_beside_reference(reusing(puct(40)), 1, 8);
  play_beside_reference(reusing(gumbel(40)), 1, 8);
}

TEST_CASE("a tree that is gone on with gets as many simulations as a new one") {
  const auto rules = env::preset("abapa");
  for (const auto& config : {puct(100), gumbel(100)}) {
    nn::HashEvaluator evaluator;
    mcts::BatchedSearch search(rules, reusing(config), 1);
    env::Game game(rules);
    std::uint64_t searches = 0;
    std::uint64_t visits = 0;
    while (!game.over()) {
      const mcts::SearchRoot root{game.position(), game.history(), 0};
      mcts::SearchResult result;
      search.run({&root, 1}, evaluator, {&result, 1});
      ++searches;
      visits += static_cast<std::uint64_t>(total_visits(result));
      CHECK(search.stats().simulations == 100 * searches);
      game.play(result.best);  // throws if it is not legal
    }
    CHECK(visits > 130 * searches);
  }
}

// With PUCT, which chooses below and at the root in the same way, a subtree grows alike whether its
// root is the tree's or not. So without noise, and with bounds or without, a tree that is gone on
// with is the same as one that had all its simulations at once.
mcts::SearchResult searched_anew(const env::Game& game, mcts::SearchConfig config,
                                 std::uint64_t game_id, const mcts::SearchResult& found) {
  config.reuse_tree = false;
  config.simulations = total_visits(found);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(game.rules(), config, 1);
  const mcts::SearchRoot root{game.position(), game.history(), game_id};
  mcts::SearchResult result;
  search.run({&root, 1}, evaluator, {&result, 1});
  return result;
}

// Several games at once whose order changes, some of which end and others begin.
TEST_CASE("each game goes on with its own tree, whatever other games there are and in what order") {
  const auto rules = env::preset("abapa");
  nn::HashEvaluator evaluator;
  const auto config = reusing(puct(50));
  mcts::BatchedSearch search(rules, config, 1);
  std::map<std::uint64_t, env::Game> games;
  std::map<std::uint64_t, mcts::BatchedSearch> alone;
  std::uint64_t next_id = 0;
  int gone_on = 0;
  for (std::uint32_t round = 0; round < 60; ++round) {
    env::RandomStream stream(74, env::RandomPurpose::kTest, 0, round);
    while (games.size() < 3 + round % 5) {
      games.emplace(next_id, random_games(rules, 1, 75 + next_id)[0]);
      alone.try_emplace(next_id, rules, config, 1);
      ++next_id;
    }
    std::vector<std::uint64_t> order;
    for (const auto& [id, game] : games)
      order.push_back(id);
    std::shuffle(order.begin(), order.end(), stream);
    std::vector<mcts::SearchRoot> roots;
    for (const auto id : order)
      roots.push_back({games.at(id).position(), games.at(id).history(), id});
    std::vector<mcts::SearchResult> results(roots.size());
    search.run(roots, evaluator, results);
    for (std::size_t i = 0; i < order.size(); ++i) {
      env::Game& game = games.at(order[i]);
      INFO("round " << round << ", game " << order[i]);
      mcts::SearchResult expected;
      alone.at(order[i]).run({&roots[i], 1}, evaluator, {&expected, 1});
      REQUIRE(same_result(results[i], expected));
      REQUIRE(same_result(results[i], searched_anew(game, config, order[i], results[i])));
      gone_on += total_visits(results[i]) > config.simulations ? 1 : 0;
      game.play(results[i].best);
      if (game.over()) games.erase(order[i]);
    }
  }
  CHECK(next_id > 8);
  CHECK(gone_on > 200);
}

TEST_CASE("the same position searched again is searched anew, with the same result") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 20, 76);
  const auto roots = roots_of(games);
  nn::HashEvaluator evaluator;
  mcts::BatchedSearch search(rules, noisy(reusing(puct(60))), 1);
  std::vector<mcts::SearchResult> first(roots.size());
  std::vector<mcts::SearchResult> second(roots.size());
  search.run(roots, evaluator, first);
  search.run(roots, evaluator, second);
  for (std::size_t i = 0; i < roots.size(); ++i)
    CHECK(same_result(first[i], second[i]));
}

TEST_CASE("noise is mixed into a reused root once, and its children have none") {
  const auto rules = env::preset("abapa");
  nn::HashEvaluator evaluator;
  const auto config = noisy(reusing(puct(60)));
  mcts::BatchedSearch search(rules, config, 1);
  env::Game game(rules);
  for (int ply = 0; ply < 12; ++ply) {
    const mcts::SearchRoot root{game.position(), game.history(), 4};
    mcts::SearchResult result;
    search.run({&root, 1}, evaluator, {&result, 1});
    const mcts::Tree& tree = search.tree(0);
    nn::Evaluation evaluation;
    evaluator.evaluate(rules, {&game.position(), 1}, {&evaluation, 1});
    const auto clean = mcts::masked_softmax(evaluation.policy_logits, game.legal());
    CHECK(result.priors == clean);
    auto noisy_priors = clean;
    env::RandomStream stream(1, env::RandomPurpose::kRootNoise, 4, game.position().ply);
    mcts::add_dirichlet_noise(noisy_priors, game.legal(), 0.25F, 10, stream);
    CHECK(tree.root().priors == noisy_priors);
    CHECK(tree.root().priors != clean);
    game.play(result.best);
  }
}

// All lines of so many plies without a capture.
std::vector<env::Game> quiet_lines(const env::Game& game, int plies) {
  std::vector<env::Game> ends = {game};
  for (int ply = 0; ply < plies; ++ply) {
    std::vector<env::Game> next;
    for (const auto& end : ends) {
      for (env::Move move = 0; move < env::kMoves; ++move) {
        if ((end.legal() >> move & 1) == 0) continue;
        env::Game longer = end;
        if (longer.play(move) == 0 && !longer.over()) next.push_back(longer);
      }
    }
    ends = std::move(next);
  }
  return ends;
}

bool same_history(const env::Game& left, const env::Game& right) {
  const auto a = left.history();
  const auto b = right.history();
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

// Two lines of four plies may come to the same position over different ones. A repetition of what
// only one of them has seen must be neither found nor missed below the other.
TEST_CASE("a position reached over other positions than the tree's does not get its subtree") {
  int tried = 0;
  for (const int seeds : {3, 4}) {
    const auto rules = env::preset("abapa");
    const auto games = small_games(rules, seeds);
    for (std::size_t i = 0; i < games.size(); i += 7) {
      const auto ends = quiet_lines(games[i], 4);
      for (std::size_t one = 0; one < ends.size(); ++one) {
        for (std::size_t other = one + 1; other < ends.size(); ++other) {
          if (!(ends[one].board() == ends[other].board())) continue;
          if (same_history(ends[one], ends[other])) continue;
          for (const env::Game* end : {&ends[one], &ends[other]}) {
            nn::HashEvaluator evaluator;
            mcts::BatchedSearch search(rules, reusing(puct(600)), 1);
            mcts::SearchResult result;
            for (const env::Game* game : {&games[i], end}) {
              const mcts::SearchRoot root{game->position(), game->history(), 0};
              search.run({&root, 1}, evaluator, {&result, 1});
            }
            INFO(games[i].board() << " to " << end->board());
            REQUIRE(same_result(result, searched_anew(*end, reusing(puct(600)), 0, result)));
            ++tried;
          }
        }
      }
    }
  }
  CHECK(tried >= 100);
}

}  // namespace
}  // namespace awale::test
