#include "training/self_play.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "env/notation.hpp"
#include "mcts/batched_search.hpp"
#include "nn/cached_evaluator.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/small_run.hpp"
#include "training/trajectory_check.hpp"

using namespace awale;
using namespace awale::training;

namespace {

SelfPlaySetup small_setup(mcts::Algorithm algorithm = mcts::Algorithm::kGumbel) {
  auto config = tests::small_run();
  config.search.algorithm = algorithm;
  return {config.self_play, {config.rules}, config.search, config.run.seed, UINT64_MAX};
}

// A third of the plies in full.
SelfPlaySetup capped_setup(mcts::Algorithm algorithm) {
  auto setup = small_setup(algorithm);
  setup.search.simulations = 12;
  setup.config.full_search_share = 0.35;
  setup.config.fast_simulations = 5;
  return setup;
}

constexpr mcts::Algorithm kAlgorithms[] = {mcts::Algorithm::kPuct, mcts::Algorithm::kGumbel};

std::unique_ptr<nn::Evaluator> make_evaluator() {
  return std::make_unique<nn::HashEvaluator>();
}

std::string moves_of(const GameRecord& game) {
  std::string moves;
  for (const auto& ply : game.plies) {
    moves += env::move_letter(ply.position.board.to_move, ply.move);
  }
  return moves;
}

std::unique_ptr<nn::Evaluator> make_cached_evaluator() {
  return std::make_unique<nn::CachedEvaluator>(std::make_unique<nn::HashEvaluator>(), 1000);
}

// Everything that was recorded of the finished games of `iterations` iterations.
std::vector<GameRecord> play(SelfPlay& self_play, int iterations, int threads,
                             const SelfPlay::EvaluatorFactory& make = make_evaluator) {
  std::vector<GameRecord> games;
  for (int i = 1; i <= iterations; ++i) {
    auto part = self_play.advance(static_cast<std::uint32_t>(i), threads, make);
    std::move(part.begin(), part.end(), std::back_inserter(games));
  }
  return games;
}

void require_equal(const std::vector<GameRecord>& left, const std::vector<GameRecord>& right) {
  REQUIRE(left.size() == right.size());
  for (std::size_t i = 0; i < left.size(); ++i) {
    REQUIRE(left[i].game_id == right[i].game_id);
    REQUIRE(moves_of(left[i]) == moves_of(right[i]));
    for (std::size_t ply = 0; ply < left[i].plies.size(); ++ply) {
      REQUIRE(left[i].plies[ply].visits == right[i].plies[ply].visits);
      REQUIRE(left[i].plies[ply].policy == right[i].plies[ply].policy);
      REQUIRE(left[i].plies[ply].flags == right[i].plies[ply].flags);
      REQUIRE(left[i].plies[ply].root_value == right[i].plies[ply].root_value);
    }
  }
}

// One more ply of both leaves the same games behind.
void require_equal_open(SelfPlay& left, SelfPlay& right, std::uint32_t iteration) {
  require_equal(left.advance(iteration, 1, make_evaluator),
                right.advance(iteration, 1, make_evaluator));
  require_equal(left.open_games(), right.open_games());
}

}  // namespace

TEST_CASE("self-play games do not depend on the number of threads") {
  for (const auto algorithm : kAlgorithms) {
    SelfPlay one(capped_setup(algorithm));
    SelfPlay three(capped_setup(algorithm));
    require_equal(play(one, 4, 1), play(three, 4, 3));
  }
}

TEST_CASE("self-play games do not depend on caches, on however many threads") {
  SelfPlay plain(small_setup());
  SelfPlay cached(small_setup());
  require_equal(play(plain, 4, 1), play(cached, 4, 3, make_cached_evaluator));
}

TEST_CASE("self-play records are games by the rules") {
  SelfPlay self_play(small_setup());
  const auto games = play(self_play, 4, 1);
  REQUIRE(games.size() >= 16);
  for (const auto& record : games) {
    env::Game game(small_setup().rules.front(), record.start);
    for (const auto& ply : record.plies) {
      REQUIRE(ply.position.board == game.board());
      REQUIRE(ply.position.ply == game.position().ply);
      REQUIRE(ply.legal == game.legal());
      game.play(ply.move);
    }
    REQUIRE(game.over());
    CHECK(game.outcome().margin_south_seeds == record.outcome.margin_south_seeds);
    CHECK(game.outcome().reason == record.outcome.reason);
  }
}

TEST_CASE("self-play visits sum to the simulations, opening plies have none") {
  SelfPlay self_play(small_setup());
  int opening_plies = 0;
  for (const auto& game : play(self_play, 4, 1)) {
    for (const auto& ply : game.plies) {
      std::uint32_t visits = 0;
      for (const auto count : ply.visits)
        visits += count;
      const bool opening = (ply.flags & kUnsearchedPly) != 0;
      opening_plies += opening ? 1 : 0;
      CHECK(visits == (opening ? 0U : 4U));
    }
  }
  CHECK(opening_plies > 0);
}

TEST_CASE("self-play samples moves in the opening only") {
  SelfPlay self_play(small_setup(mcts::Algorithm::kPuct));
  for (const auto& game : play(self_play, 4, 1)) {
    for (const auto& ply : game.plies) {
      if ((ply.flags & kUnsearchedPly) != 0) continue;
      CHECK(((ply.flags & kSampledMove) != 0) == (ply.position.ply < 10));
    }
  }
}

TEST_CASE("Gumbel self-play draws no moves from the visits") {
  SelfPlay self_play(small_setup(mcts::Algorithm::kGumbel));
  for (const auto& game : play(self_play, 4, 1)) {
    for (const auto& ply : game.plies)
      CHECK((ply.flags & kSampledMove) == 0);
  }
}

TEST_CASE("a policy target is recorded in units that sum to all of them, of legal moves only") {
  for (const auto algorithm : kAlgorithms) {
    SelfPlay self_play(small_setup(algorithm));
    for (const auto& game : play(self_play, 4, 1)) {
      for (const auto& ply : game.plies) {
        int sum = 0;
        for (int move = 0; move < env::kMoves; ++move) {
          sum += ply.policy[move];
          if ((ply.legal >> move & 1) == 0) CHECK(ply.policy[move] == 0);
        }
        const bool searched = (ply.flags & kUnsearchedPly) == 0;
        if (searched) CHECK(std::abs(sum - 65535) <= 3);
        if (!searched) CHECK(sum == 0);
      }
    }
  }
}

TEST_CASE("with a playout cap the share of full searches is kept, the others are fast and plain") {
  for (const auto algorithm : kAlgorithms) {
    const auto setup = capped_setup(algorithm);
    SelfPlay self_play(setup);
    int full = 0;
    int fast = 0;
    for (const auto& record : play(self_play, 8, 1)) {
      env::Game game(setup.rules.front(), record.start);
      for (const auto& ply : record.plies) {
        const int visits = std::accumulate(ply.visits.begin(), ply.visits.end(), 0);
        const int policy = std::accumulate(ply.policy.begin(), ply.policy.end(), 0);
        if ((ply.flags & kFastSearch) != 0) {
          ++fast;
          CHECK(visits == 5);
          CHECK(policy == 0);
          // Without noise: anybody gets the same visits, whatever his seed.
          mcts::BatchedSearch search(setup.rules.front(), without_noise(setup.search), 99);
          nn::HashEvaluator evaluator;
          const mcts::SearchRoot root{game.position(), game.history(), 12345, 5};
          mcts::SearchResult result;
          search.run({&root, 1}, evaluator, {&result, 1});
          CHECK(ply.visits == result.visits);
        } else if ((ply.flags & kUnsearchedPly) == 0) {
          ++full;
          CHECK(visits == 12);
          CHECK(policy > 65530);
        }
        game.play(ply.move);
      }
    }
    REQUIRE(full + fast > 1500);
    CHECK(static_cast<double>(full) / (full + fast) == Approx(0.35).margin(0.04));
  }
}

TEST_CASE("a wrong playout cap is refused by name") {
  const auto message_of = [](double share, int simulations) {
    auto config = tests::small_run();
    config.self_play.full_search_share = share;
    config.self_play.fast_simulations = simulations;
    return test::error_of(ErrorKind::kUsage, [&] { config.self_play.validate(config.search); });
  };
  const auto named = [](const std::string& message, const std::string& key) {
    return test::contains(message, key);
  };
  CHECK(named(message_of(0, 2), "self_play.full_search_share"));
  CHECK(named(message_of(1.01, 2), "self_play.full_search_share"));
  CHECK(named(message_of(std::nan(""), 2), "self_play.full_search_share"));
  CHECK(named(message_of(0.5, 0), "self_play.fast_simulations"));
  CHECK(
      named(message_of(0.5, 5), "self_play.fast_simulations: expected 1..search.simulations (4)"));
  CHECK(message_of(0.5, 4).empty());
  CHECK(message_of(1, 16).empty());  // never used
}

TEST_CASE("self-play games are distinct") {
  auto setup = small_setup();
  setup.config.games = 256;
  setup.config.group_games = 64;
  SelfPlay self_play(setup);
  std::set<std::string> distinct;
  const auto games = play(self_play, 4, 2);
  for (const auto& game : games)
    distinct.insert(moves_of(game));
  REQUIRE(games.size() >= 256);
  CHECK(static_cast<double>(distinct.size()) >= 0.99 * static_cast<double>(games.size()));
}

TEST_CASE("forks begin where the slot's last game has been, with a random move") {
  auto setup = small_setup();
  setup.config.fork_share = 0.4;
  SelfPlay self_play(setup);
  std::map<std::uint64_t, GameRecord> games;
  for (auto& game : play(self_play, 12, 1))
    games.emplace(game.game_id, game);
  const auto slots = static_cast<std::uint64_t>(setup.config.games);
  int forks = 0;
  int others = 0;
  for (const auto& [id, game] : games) {
    if (game.start == env::initial_board()) {
      others += id >= slots ? 1 : 0;
      continue;
    }
    ++forks;
    REQUIRE(id >= slots);
    const auto& before = games.at(id - slots).plies;
    CHECK(std::any_of(before.begin(), before.end(), [&game = game](const PlyRecord& ply) {
      return ply.position.board == game.start;
    }));
    CHECK(game.plies[0].flags == kUnsearchedPly);
    CHECK((game.plies.size() == 1 || game.plies[1].flags != kUnsearchedPly));
  }
  CHECK(forks > 10);
  CHECK(static_cast<double>(forks) / (forks + others) == Approx(0.4).margin(0.15));
}

// A fork that began at the start position was no longer known as one: its random move was lost.
TEST_CASE("forks resume at every ply, wherever they begin") {
  auto setup = small_setup();
  setup.config.fork_share = 1;
  setup.config.random_opening_share = 0;
  setup.config.plies_per_iteration = 1;
  SelfPlay whole(setup);
  for (std::uint32_t iteration = 1; iteration <= 150; ++iteration) {
    SelfPlay resumed(setup);
    resumed.restore(whole.open_games());
    require_equal_open(whole, resumed, iteration);
  }
}

TEST_CASE("groups take the rule sets in turn, and every game is one by its own") {
  auto setup = small_setup();
  setup.rules = {setup.rules.front(), env::preset("awari"), env::preset("codingame")};
  SelfPlay self_play(setup);
  std::map<int, int> games_by_rules;
  for (const auto& game : play(self_play, 30, 2)) {
    ++games_by_rules[game.rules_index];
    const int slots = setup.config.games;
    const int group = static_cast<int>(game.game_id % static_cast<std::uint64_t>(slots)) /
                      setup.config.group_games;
    CHECK(game.rules_index == group % 3);
    REQUIRE(find_inconsistency(setup.rules[game.rules_index], game) == std::nullopt);
  }
  CHECK(games_by_rules.size() == 3);
}

TEST_CASE("a run comes from its first simulations to all in equal ratios") {
  SelfPlayConfig config;
  CHECK(config.simulations_at(0, 64) == 64);
  config.first_simulations = 4;
  config.progressive_share = 0.5;
  CHECK(config.simulations_at(0, 64) == 4);
  CHECK(config.simulations_at(0.125, 64) == 8);
  CHECK(config.simulations_at(0.25, 64) == 16);
  CHECK(config.simulations_at(0.5, 64) == 64);
  CHECK(config.simulations_at(1, 64) == 64);
}

TEST_CASE("self-play goes on from its open games as if it had never stopped") {
  for (const bool reuse_tree : {false, true}) {
    auto setup = small_setup();
    setup.config.fork_share = 0.4;
    setup.search.reuse_tree = reuse_tree;
    SelfPlay whole(setup);
    play(whole, 2, 1);
    SelfPlay resumed(setup);
    resumed.restore(whole.open_games());
    for (std::uint32_t iteration = 3; iteration <= 5; ++iteration) {
      require_equal(whole.advance(iteration, 1, make_evaluator),
                    resumed.advance(iteration, 2, make_evaluator));
    }
  }
}

TEST_CASE("with reuse_tree self-play goes on with its trees within an iteration") {
  auto setup = small_setup();
  setup.search.reuse_tree = true;
  const auto all = static_cast<unsigned>(setup.search.simulations);
  SelfPlay self_play(setup);
  int gone_on = 0;
  for (const auto& game : play(self_play, 12, 1)) {
    for (const auto& ply : game.plies) {
      if ((ply.flags & kUnsearchedPly) != 0) continue;
      const unsigned visits = std::accumulate(ply.visits.begin(), ply.visits.end(), 0U);
      CHECK(visits >= all);
      gone_on += visits > all ? 1 : 0;
    }
  }
  CHECK(gone_on > 100);
}

TEST_CASE("self-play stops at the game limit with every game below it played once") {
  auto setup = small_setup();
  setup.game_limit = 21;
  SelfPlay self_play(setup);
  std::set<std::uint64_t> ids;
  for (std::uint32_t iteration = 1; self_play.active(); ++iteration) {
    for (const auto& game : self_play.advance(iteration, 1, make_evaluator)) {
      CHECK(ids.insert(game.game_id).second);
    }
  }
  CHECK(ids.size() == 21);
  CHECK(*ids.rbegin() == 20);
}

TEST_CASE("self-play of fewer games than a group holds plays just these") {
  auto setup = small_setup();
  setup.config.games = 5;  // a full group of 4 and one of 1
  setup.game_limit = 5;
  SelfPlay self_play(setup);
  std::set<std::uint64_t> ids;
  for (std::uint32_t iteration = 1; self_play.active(); ++iteration) {
    for (const auto& game : self_play.advance(iteration, 2, make_evaluator)) {
      CHECK(ids.insert(game.game_id).second);
    }
  }
  CHECK(ids.size() == 5);
}

TEST_CASE("self-play notes the iterations of its first and last ply") {
  SelfPlay self_play(small_setup());
  self_play.advance(1, 1, make_evaluator);
  const auto games = self_play.advance(2, 1, make_evaluator);
  REQUIRE(!games.empty());
  for (const auto& game : games) {
    CHECK(game.last_iteration == 2);
    CHECK(game.first_iteration >= 1);
    CHECK(game.first_iteration <= 2);
  }
}
