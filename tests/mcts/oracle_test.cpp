// What a search makes of an endgame table, against exhaustive search with the whole history.
#include "mcts/oracle.hpp"

#include <algorithm>
#include <memory>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "mcts/baseline/minimax.hpp"
#include "mcts/batched_search.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/env/endgame/tables.hpp"
#include "tests/mcts/configs.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/mcts/small_boards.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

constexpr int kMostPositions = 20'000;  // that a question may cost the exhaustive search

// Games at boards of so many seeds by chance, stores near each other and near the target.
std::vector<env::Game> close_games(const env::RuleSet& rules, int seeds, int count,
                                   std::uint64_t seed) {
  env::RandomStream random(seed, env::RandomPurpose::kMatch, 0, 0);
  std::vector<env::Game> games;
  while (static_cast<int>(games.size()) < count) {
    env::Board board =
        env::to_board(env::board_at(env::layer_begin(seeds) + random() % env::layer_size(seeds)));
    const int lead = static_cast<int>(random.below(7)) - 3;
    const int early = rules.target_seeds > 0 ? 25 - rules.target_seeds : 0;
    board.store_to_move = static_cast<std::uint8_t>((env::kSeeds - seeds + lead) / 2 - early);
    board.store_opponent =
        static_cast<std::uint8_t>(env::kSeeds - seeds - 2 * early - board.store_to_move);
    env::Game game(rules, board);
    if (!game.over()) games.push_back(std::move(game));
  }
  return games;
}

}  // namespace

TEST_CASE("bounds from a table hold whatever exhaustive search can decide") {
  for (const auto& rules : endgame_rules()) {
    const auto table = small_table(rules, 7);
    Prover prover(kMostPositions);
    int known = 0;
    int exact = 0;
    for (int seeds = 1; seeds <= 7; ++seeds) {
      for (const auto& game : close_games(rules, seeds, 60, 1)) {
        REQUIRE(env::holds_from_here(rules, game.position()) ==
                (rules.ply_limit >= env::kPliesToEnd));
        const auto margin = prover.margin(game);
        if (!margin) continue;
        const auto bounds = *env::final_margin_bounds(table, rules, game.board());
        INFO(env::describe(rules) << " " << game.board() << ": " << *margin);
        REQUIRE(bounds.low <= *margin);
        REQUIRE(bounds.high >= *margin);
        ++known;
        exact += bounds.exact() ? 1 : 0;
      }
    }
    INFO(env::describe(rules) << ": " << known << " known, " << exact << " exact");
    CHECK(known > 150);
    CHECK(exact > (rules.target_seeds == 0 ? known / 2 : 20));
  }
}

TEST_CASE("a target changes what is certain of a margin, never who wins") {
  env::Board board;
  board.pits = {0, 0, 0, 0, 0, 3, 2, 2, 1, 0, 0, 0};
  board.store_to_move = 20;
  board.store_opponent = 20;
  const env::Guarantees guarantees = {6, 1};  // of 8 seeds: 26 and 21 at least
  const auto bounds = [&](const env::RuleSet& rules) {
    return env::final_margin_bounds(rules, board, env::CycleScore::kUnknown, guarantees);
  };
  CHECK(bounds(env::preset("auale")) == env::FinalMargin{4, 6});
  // With the target the rows are counted: 25 to 23 at least. The other may then have 20 only.
  CHECK(bounds(env::preset("abapa")) == env::FinalMargin{2, 8});
  // Only stores count: 25 against at most 22, and at most 27 against the 20 that are there.
  CHECK(bounds(env::preset("valencian")) == env::FinalMargin{3, 7});
  CHECK(env::verdict(bounds(env::preset("abapa"))) == env::Verdict::kWin);
}

TEST_CASE("verdicts say what is certain") {
  CHECK(env::verdict({2, 2}) == env::Verdict::kWin);
  CHECK(env::verdict({1, 9}) == env::Verdict::kWin);
  CHECK(env::verdict({0, 0}) == env::Verdict::kDraw);
  CHECK(env::verdict({0, 4}) == env::Verdict::kDrawOrWin);
  CHECK(env::verdict({-4, 0}) == env::Verdict::kDrawOrLoss);
  CHECK(env::verdict({-4, -2}) == env::Verdict::kLoss);
  CHECK(env::verdict({-2, 2}) == env::Verdict::kUnknown);
}

TEST_CASE("a table holds after a capture and far from the ply limit") {
  const auto abapa = env::preset("abapa");
  env::Position position;
  position.ply = 80;
  CHECK(env::holds_from_here(abapa, position));
  position.quiet_plies = 1;
  CHECK_FALSE(env::holds_from_here(abapa, position));
  CHECK_FALSE(env::holds_from_here(env::preset("codingame"), position));  // 200 plies
  position.quiet_plies = 0;
  position.ply = 501;
  CHECK_FALSE(env::holds_from_here(abapa, position));
}

TEST_CASE("a search with a table never gives away an outcome that the table grants") {
  for (const auto& name : env::preset_names()) {
    const auto rules = env::preset(name);
    const auto table = std::make_shared<const env::EndgameTable>(small_table(rules, 9));
    for (auto config : {gumbel(1), gumbel(16), puct(4)}) {
      config.endgame = table;
      std::vector<env::Game> games;
      for (int seeds = 2; seeds <= 9; ++seeds) {
        for (auto& game : close_games(rules, seeds, 100, 2))
          games.push_back(std::move(game));
      }
      nn::HashEvaluator evaluator;
      mcts::BatchedSearch search(rules, config, 1);
      std::vector<mcts::SearchResult> results(games.size());
      search.run(roots_of(games), evaluator, results);
      int granted = 0;
      for (std::size_t i = 0; i < games.size(); ++i) {
        const auto before = *env::final_margin_bounds(*table, rules, games[i].board());
        env::Game after = games[i];
        after.play(results[i].best);
        int low = 0;
        if (after.over()) {
          const int south = after.outcome().margin_south_seeds;
          low = games[i].board().to_move == env::Side::kSouth ? south : -south;
        } else {
          low = -env::final_margin_bounds(*table, rules, after.board())->high;
        }
        INFO(name << " " << describe(config) << " " << games[i].board());
        CHECK(sign(low) >= sign(before.low));
        granted += before.low >= 0 ? 1 : 0;
      }
      CHECK(granted > 200);
    }
  }
}

TEST_CASE("a search with a table converts what the table grants, against any opponent") {
  for (const auto& name : env::preset_names()) {
    const auto rules = env::preset(name);
    if (rules.ply_limit < env::kPliesToEnd) continue;  // may come before what the table grants
    const auto table = std::make_shared<const env::EndgameTable>(small_table(rules, 9));
    auto config = gumbel(4);
    config.endgame = table;
    mcts::BatchedSearch search(rules, config, 1);
    nn::HashEvaluator evaluator;
    mcts::Minimax minimax(mcts::MinimaxConfig{3});
    env::RandomStream random(4, env::RandomPurpose::kTest, 0, 0);
    int granted = 0;
    for (auto& game : close_games(rules, 9, 60, 4)) {
      const int sure = sign(env::final_margin_bounds(*table, rules, game.board())->low);
      if (sure < 0) continue;
      ++granted;
      const env::Side owner = game.board().to_move;
      INFO(name << " " << game.board());
      const bool strong = granted % 2 == 0;
      while (!game.over()) {
        if (game.board().to_move == owner) {
          mcts::SearchResult result;
          const mcts::SearchRoot root{game.position(), game.history()};
          search.run(std::span(&root, 1), evaluator, std::span(&result, 1));
          game.play(result.best);
        } else {
          game.play(strong ? minimax.search(game).move : env::random_move(game.legal(), random));
        }
      }
      const int south = game.outcome().margin_south_seeds;
      CHECK(sign(owner == env::Side::kSouth ? south : -south) >= sure);
    }
    CHECK(granted > 10);
  }
}

TEST_CASE("moves that keep the outcome are those that the truth leaves") {
  const auto rules = env::preset("auale");
  const auto table = small_table(rules, 6);
  Prover prover(kMostPositions);
  int cut = 0;
  for (const auto& game : close_games(rules, 6, 150, 3)) {
    const auto kept =
        mcts::outcome_keeping_moves(table, rules, game.position(), game.history(), game.legal());
    REQUIRE(kept != 0);
    REQUIRE((kept & ~game.legal()) == 0);
    cut += kept != game.legal() ? 1 : 0;
    const auto won = prover.at_least(game, 1);
    for (env::Move move = 0; move < env::kMoves; ++move) {
      if ((game.legal() & ~kept) >> move & 1) {
        // Left out: another move is better for sure, so if it wins, so does another.
        env::Game after = game;
        after.play(move);
        const auto still = prover.at_least(after, 0);
        if (won && still && !*still) CHECK(*won);
      }
    }
  }
  CHECK(cut > 20);
}

TEST_CASE("where the table does not reach, all legal moves are searched") {
  const auto rules = env::preset("abapa");
  const auto table = small_table(rules, 4);
  const env::Game start(rules);
  CHECK(mcts::outcome_keeping_moves(table, rules, start.position(), start.history(),
                                    start.legal()) == start.legal());
  CHECK_FALSE(mcts::oracle_limits(table, rules, start.position()));
  // Too near the limit, which a table does not know.
  env::Position position;
  position.board.pits = {1, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0};
  CHECK(mcts::oracle_limits(table, rules, position));
  position.ply = 901;
  CHECK_FALSE(mcts::oracle_limits(table, rules, position));
}

TEST_CASE("an endgame table does not go together with a search that does not pass up bounds") {
  auto config = puct(8);
  config.endgame = std::make_shared<const env::EndgameTable>(small_table(env::preset("abapa"), 2));
  CHECK_NOTHROW(config.validate());
  config.solve = false;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { config.validate(); }), "solve = true"));
}

}  // namespace awale::test
