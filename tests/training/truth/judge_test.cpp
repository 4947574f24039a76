// Judgements against two solvers that know no table: one of all small boards by definition, and
// exhaustive search with the whole history of a sample.
#include "training/truth/judge.hpp"

#include <algorithm>

#include "tests/mcts/small_boards.hpp"
#include "tests/support/catch.hpp"
#include "tests/training/truth/naive_endgame.hpp"
#include "tests/training/truth/tables.hpp"

namespace awale::test {
namespace {

using training::BoardTruth;
using training::judge;
using training::ResultChange;

constexpr int kTableSeeds = 6;
constexpr int kMostPositions = 2000;

int sign(int number) {
  return (number > 0) - (number < 0);
}

// What the searches say of one position and one move, in final margins of the mover.
struct Searched {
  int before = 0;
  int after = 0;        // with the past
  int board_alone = 0;  // after the move, as if a game began there
};

std::optional<Searched> search(const env::Game& game, env::Move move) {
  Prover prover(kMostPositions);
  env::Game next = game;
  next.play(move);
  const env::Game fresh(game.rules(), next.board());
  const auto before = prover.margin(game);
  const auto after = prover.margin(next);
  const auto board_alone = prover.margin(fresh);
  if (!before || !after || !board_alone) return std::nullopt;
  return Searched{*before, -*after, -*board_alone};
}

// Calls check(truth, move, searched, stores' difference) for boards of 1..5 seeds with stores
// around a draw, a sample that grows thinner with the seeds; returns how often.
template <typename Check>
int on_small_boards(const env::RuleSet& rules, const env::EndgameTable& table, const Check& check) {
  int checked = 0;
  for (int seeds = 1; seeds <= 5; ++seeds) {
    const auto games = small_games(rules, seeds);
    const std::size_t step = seeds < 4 ? 1 : (seeds == 4 ? 4 : 17);
    for (std::size_t i = 0; i < games.size(); i += step) {
      const auto truth = judge(table, rules, games[i].board());
      REQUIRE(truth);
      REQUIRE(truth->legal == games[i].legal());
      const auto& board = games[i].board();
      for (env::Move move = 0; move < env::kMoves; ++move) {
        if ((truth->legal >> move & 1) == 0) continue;
        const auto searched = search(games[i], move);
        if (!searched) continue;
        INFO(rules.name << " " << board << " move " << int{move} << ": searched "
                        << searched->before << " " << searched->after << " "
                        << searched->board_alone);
        check(*truth, move, *searched, board.store_to_move - board.store_opponent);
        ++checked;
      }
    }
  }
  return checked;
}

// Without a target the final margin is the stores' difference and what is still to come.
env::RuleSet to_the_end(const std::string& preset) {
  return env::from_key_values(env::preset(preset),
                              {{"target_seeds", "0"}, {"sweep_at_target", "false"}});
}

// The board with stores of 48 seeds in all, `difference` apart, or one more where parity has it so.
env::Board with_stores(env::Board board, int seeds, int difference) {
  const int mine = (48 - seeds + difference) / 2;
  board.store_to_move = static_cast<std::uint8_t>(mine);
  board.store_opponent = static_cast<std::uint8_t>(48 - seeds - mine);
  return board;
}

// What the solver says of a move, seen by who makes it.
env::FutureMargin after_move(const NaiveEndgame& naive, const env::RuleSet& rules, env::Board board,
                             env::Move move) {
  const int captured = env::play(rules, board, move);
  const auto next = naive.margin(board);
  return {captured - next.high, captured - next.low};
}

TEST_CASE("on all boards of up to six seeds judgements are those of a solver by definition") {
  for (const auto* name : {"abapa", "awari", "valencian", "wari_caribbean"}) {
    const auto rules = to_the_end(name);
    const auto& table = small_table(name, kTableSeeds);
    const NaiveEndgame naive(rules, kTableSeeds);
    int changes[3] = {};
    int mistakes = 0;
    for (const auto& bare : naive.boards()) {
      const int seeds = env::row_to_move_seeds(bare) + env::row_opponent_seeds(bare);
      const auto before = naive.margin(bare);
      // Stores that make a draw of the least that is certain, and a little more and less.
      for (int more = -2; more <= 2; more += 2) {
        const auto board = with_stores(bare, seeds, more - before.low);
        const int stores = board.store_to_move - board.store_opponent;
        const auto truth = judge(table, rules, board);
        if (!truth) {
          mistakes += env::legal_moves(rules, board) != 0 ? 1 : 0;
          continue;
        }
        mistakes += truth->future == before ? 0 : 1;
        for (env::Move move = 0; move < env::kMoves; ++move) {
          if ((truth->legal >> move & 1) == 0) continue;
          const auto after = after_move(naive, rules, board, move);
          const bool lost = sign(stores + after.high) < sign(stores + before.low);
          const bool kept = sign(stores + after.low) >= sign(stores + before.low);
          const auto expected = lost   ? ResultChange::kLost
                                : kept ? ResultChange::kKept
                                       : ResultChange::kUnknown;
          const auto found = training::result_change(*truth, move);
          mistakes += found == expected ? 0 : 1;
          ++changes[static_cast<int>(expected)];
          const int given = std::max(0, before.low - after.high);
          mistakes += training::seeds_given_away(*truth, move) == given ? 0 : 1;
          mistakes += (training::best_moves(*truth) >> move & 1) == (given == 0 ? 1 : 0) ? 0 : 1;
        }
      }
    }
    CAPTURE(name, changes[0], changes[1], changes[2]);
    CHECK(naive.boards().size() == 18564);
    CHECK(mistakes == 0);
    CHECK(changes[0] > 50000);
    CHECK(changes[1] > 10000);
  }
}

TEST_CASE("a move that is said to lose the result does, in the game with its past") {
  for (const auto* name : {"abapa", "awari", "valencian", "auale"}) {
    const auto rules = env::preset(name);
    int lost = 0;
    int missed = 0;
    const int checked = on_small_boards(
        rules, small_table(name, kTableSeeds),
        [&](const BoardTruth& truth, env::Move move, const Searched& searched, int) {
          CHECK(truth.at_end.low <= searched.before);
          CHECK(truth.at_end.high >= searched.before);
          CHECK(truth.moves[move].at_end.low <= searched.board_alone);
          CHECK(truth.moves[move].at_end.high >= searched.board_alone);
          const bool loses = sign(searched.after) < sign(searched.before);
          if (training::result_change(truth, move) == ResultChange::kLost) {
            CHECK(loses);
            ++lost;
          } else if (loses) {
            ++missed;
          }
        });
    INFO(name << ": " << checked << " moves, lost " << lost << ", missed " << missed);
    CHECK(checked > 500);
    CHECK(lost > 20);
    CHECK(missed * 5 < lost);
  }
}

TEST_CASE("under rules with exact values every judgement of boards is that of exhaustive search") {
  const auto rules = env::preset("awari");
  int lost = 0;
  on_small_boards(rules, small_table("awari", kTableSeeds),
                  [&](const BoardTruth& truth, env::Move move, const Searched& searched, int) {
                    REQUIRE(training::known_result(truth.at_end) == sign(searched.before));
                    const bool loses = sign(searched.board_alone) < sign(searched.before);
                    const auto expected = loses ? ResultChange::kLost : ResultChange::kKept;
                    CHECK(training::result_change(truth, move) == expected);
                    lost += loses ? 1 : 0;
                  });
  CHECK(lost > 20);
}

TEST_CASE("seeds given away are those of exhaustive search where values are exact") {
  int given = 0;
  on_small_boards(to_the_end("awari"), small_table("awari", kTableSeeds),
                  [&](const BoardTruth& truth, env::Move move, const Searched& searched, int) {
                    const int expected = searched.before - searched.board_alone;
                    CHECK(training::seeds_given_away(truth, move) == expected);
                    CHECK(training::exact_loss(truth, move));
                    CHECK((training::best_moves(truth) >> move & 1) == (expected == 0 ? 1 : 0));
                    given += expected;
                  });
  CHECK(given > 100);
}

TEST_CASE("seeds that are said to be given away are, in the game with its past") {
  int given = 0;
  int exact = 0;
  on_small_boards(
      to_the_end("abapa"), small_table("abapa", kTableSeeds),
      [&](const BoardTruth& truth, env::Move move, const Searched& searched, int stores) {
        CHECK(truth.future.low <= searched.before - stores);
        CHECK(truth.future.high >= searched.before - stores);
        const int certain = training::seeds_given_away(truth, move);
        CHECK(certain <= searched.before - searched.after);
        given += certain;
        if (!training::exact_loss(truth, move)) return;
        CHECK(certain == searched.before - searched.board_alone);
        ++exact;
      });
  CHECK(given > 100);
  CHECK(exact > 300);
}

TEST_CASE("a move that wins by the target gives nothing away") {
  // F takes two and reaches 25; what it leaves to the opponent does not matter any more.
  const auto rules = env::preset("abapa");
  env::Board board;
  board.pits = {1, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 4};
  board.store_to_move = 23;
  board.store_opponent = 18;
  const auto truth = judge(small_table("abapa"), rules, board);
  REQUIRE(truth);
  CHECK(truth->moves[5].wins_by_target);
  CHECK(training::seeds_given_away(*truth, 5) == 0);
  CHECK(training::result_change(*truth, 5) == ResultChange::kKept);
}

TEST_CASE("nothing is judged where the game is over or the table ends") {
  const auto rules = env::preset("abapa");
  const auto& table = small_table("abapa");
  env::Board board;
  board.pits = {0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0};
  board.store_to_move = 25;
  board.store_opponent = 20;
  CHECK_FALSE(judge(table, rules, board));  // won
  CHECK_FALSE(judge(table, rules, env::initial_board()));
  board.store_to_move = 23;
  board.store_opponent = 22;
  CHECK(judge(table, rules, board));
  auto short_rules = rules;
  short_rules.ply_limit = training::kGradedPly;
  CHECK_FALSE(judge(table, short_rules, board));
}

}  // namespace
}  // namespace awale::test
