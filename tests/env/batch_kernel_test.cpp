// Every kernel against the scalar `Game` and the scalar generator, where they differ from a plain
// loop: padding, long histories, suspects that are none.
#include "env/batch_kernel.hpp"

#include <bit>

#include "env/batch_env.hpp"
#include "env/error.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "env/random_moves.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::BatchEnv;
using env::Board;
using env::Game;
using env::kNoMove;
using env::LegalMask;
using env::Move;
using env::RuleSet;

// Everything that BatchEnv tells of a game is what `game` tells.
void check_same(const BatchEnv& batch, int index, const Game& game) {
  INFO("game " << index << ": " << to_text(game.board()));
  const env::Position position = batch.position(index);
  REQUIRE(position.board == game.board());
  REQUIRE(position.ply == game.position().ply);
  REQUIRE(position.quiet_plies == game.position().quiet_plies);
  REQUIRE(position.repetitions == game.position().repetitions);
  REQUIRE(batch.legal_masks()[index] == game.legal());
  REQUIRE(batch.over(index) == game.over());
  if (game.over()) {
    REQUIRE(batch.outcome(index).reason == game.outcome().reason);
    REQUIRE(batch.outcome(index).margin_south_seeds == game.outcome().margin_south_seeds);
    REQUIRE(batch.history(index) == std::vector<Board>{game.board()});
  } else {
    const std::vector<Board> history(game.history().begin(), game.history().end());
    REQUIRE(batch.history(index) == history);
  }
}

struct Seen {
  int repetitions = 0;
};

// Plays `moves` in both, checks them and restarts every second game that ends, the others a little
// later, so that ended games lie among the others for a while.
void play_ply(BatchEnv& batch, std::vector<Game>& games, const std::vector<Move>& moves, int ply,
              Seen& seen) {
  batch.step(moves);
  std::vector<int> ended;
  for (int i = 0; i < batch.size(); ++i) {
    if (moves[i] == kNoMove) continue;
    games[i].play(moves[i]);
    if (!games[i].over()) continue;
    ended.push_back(i);
    seen.repetitions += games[i].outcome().reason == env::EndReason::kRepetition;
  }
  REQUIRE(std::vector<int>(batch.finished().begin(), batch.finished().end()) == ended);
  for (int i = 0; i < batch.size(); ++i)
    check_same(batch, i, games[i]);
  std::vector<int> restarted;
  for (int i = 0; i < batch.size(); ++i) {
    if (games[i].over() && (i % 2 == 0 || ply % 7 == 0)) restarted.push_back(i);
  }
  batch.reset(restarted);
  for (const int i : restarted)
    games[i] = Game(batch.rules());
}

Seen compare_random_games(const RuleSet& rules, const env::Kernel& kernel, int size, int plies) {
  INFO(kernel.name << ", " << describe(rules) << ", " << size << " games");
  BatchEnv batch(rules, size, kernel);
  std::vector<Game> games(static_cast<std::size_t>(size), Game(rules));
  std::vector<Move> moves(games.size());
  Seen seen;
  for (int ply = 0; ply < plies; ++ply) {
    env::random_moves(batch.legal_masks(), 7, static_cast<std::uint32_t>(ply), moves, kernel);
    play_ply(batch, games, moves, ply, seen);
  }
  return seen;
}

// Two seeds that chase each other: nobody captures while both move on. After `plies` plies the
// cycle of twelve has closed often, which only rules with a high count allow.
Board circling_board() {
  return env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
}

}  // namespace

TEST_CASE("every kernel plays as the scalar game does, in batches of any size") {
  for (const auto& kernel : env::kernels()) {
    int repetitions = 0;
    for (const auto& name : env::preset_names()) {
      for (const int size : {1, 63, 64, 65, 200})
        repetitions += compare_random_games(env::preset(name), kernel, size, 200).repetitions;
    }
    CHECK(repetitions > 100);
  }
}

TEST_CASE("every kernel finds repetitions however long nothing has been captured") {
  RuleSet rules;
  rules.repetition_occurrence = 60;
  for (const auto& kernel : env::kernels()) {
    INFO(kernel.name);
    BatchEnv batch(rules, 70, kernel);
    const std::vector<Board> starts = {circling_board()};
    batch.reset(std::vector<int>{66}, starts);
    Game game(rules, circling_board());
    std::vector<Move> moves(70);
    int restarts = 0;
    while (!game.over()) {
      for (int i = 0; i < batch.size(); ++i) {
        const LegalMask legal = batch.legal_masks()[i];
        moves[i] = legal == 0 ? kNoMove : static_cast<Move>(std::countr_zero(legal));
      }
      game.play(moves[66]);
      batch.step(moves);
      check_same(batch, 66, game);
      // The others restart all the time, so that their old positions are never taken for new ones.
      std::vector<int> others;
      for (int i = 0; i < 66; ++i) {
        if (batch.over(i)) others.push_back(i);
      }
      restarts += static_cast<int>(others.size());
      batch.reset(others);
    }
    CHECK(game.outcome().reason == env::EndReason::kRepetition);
    CHECK(game.position().quiet_plies == 12 * 59);
    CHECK(restarts > 0);
  }
}

TEST_CASE("a game loaded in the middle of a cycle ends where the cycle closes") {
  const std::string cycle = "AaBbCcDdEeFf";
  for (const auto& kernel : env::kernels()) {
    for (std::size_t played = 0; played < cycle.size(); ++played) {
      INFO(kernel.name << " after " << cycle.substr(0, played));
      BatchEnv batch(RuleSet{}, 3, kernel);
      Game game = env::replay(RuleSet{}, circling_board(), cycle.substr(0, played));
      batch.step(std::vector<Move>{0, 1, 2});
      batch.load(1, game);
      check_same(batch, 1, game);
      for (std::size_t i = played; i < cycle.size(); ++i) {
        const Move move = env::parse_move(cycle[i], game.board().to_move);
        std::vector<Move> moves = {0, move, 0};
        for (const int other : {0, 2}) {
          moves[other] = static_cast<Move>(std::countr_zero(batch.legal_masks()[other]));
        }
        game.play(move);
        batch.step(moves);
        check_same(batch, 1, game);
      }
      CHECK(batch.outcome(1).reason == env::EndReason::kRepetition);
    }
  }
}

TEST_CASE("a position of the game before the reset is no repetition") {
  // The second game goes once round the same circle; its positions have all occurred in the lane.
  const std::string cycle = "AaBbCcDdEeFf";
  for (const auto& kernel : env::kernels()) {
    BatchEnv batch(RuleSet{}, 1, kernel);
    const std::vector<Board> starts = {circling_board()};
    for (int game = 0; game < 2; ++game) {
      batch.reset(std::vector<int>{0}, starts);
      for (std::size_t i = 0; i < cycle.size(); ++i) {
        REQUIRE_FALSE(batch.over(0));
        batch.step(std::vector<Move>{env::parse_move(cycle[i], batch.position(0).board.to_move)});
        if (game == 0 && i == 5) break;
      }
    }
    CHECK(batch.outcome(0).reason == env::EndReason::kRepetition);
    CHECK(batch.position(0).ply == 12);
  }
}

TEST_CASE("random moves are those of the scalar generator, with every kernel and size") {
  env::RandomStream masks(3, env::RandomPurpose::kTest, 0, 0);
  for (const int size : {0, 1, 5, 63, 64, 65, 300}) {
    std::vector<LegalMask> legal;
    for (int i = 0; i < size; ++i)
      legal.push_back(static_cast<LegalMask>(masks.below(64)));
    const std::uint64_t seed = 0x0123456789abcdef;
    const std::uint32_t step = 0x89abcdef;
    std::vector<Move> expected;
    for (int i = 0; i < size; ++i) {
      const auto group = static_cast<std::uint32_t>(i / 4);
      const auto words = env::philox4x32_10(
          {static_cast<std::uint32_t>(env::RandomPurpose::kRollout) << 24, step, group, 0},
          {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
      std::vector<Move> choices;
      for (Move move = 0; move < env::kMoves; ++move) {
        if ((legal[i] >> move & 1) != 0) choices.push_back(move);
      }
      const std::uint64_t product = std::uint64_t{words[i % 4]} * choices.size();
      expected.push_back(choices.empty() ? kNoMove : choices[product >> 32]);
    }
    for (const auto& kernel : env::kernels()) {
      INFO(kernel.name << ", " << size << " games");
      std::vector<Move> moves(legal.size(), 99);
      env::random_moves(legal, seed, step, moves, kernel);
      CHECK(moves == expected);
    }
  }
}

TEST_CASE("random moves are uniform over the legal ones") {
  const std::vector<LegalMask> legal(1000, 0b101101);
  std::vector<Move> moves(legal.size());
  std::array<int, env::kMoves> counts = {};
  for (std::uint32_t step = 0; step < 1000; ++step) {
    env::random_moves(legal, 1, step, moves);
    for (const Move move : moves)
      ++counts.at(move);
  }
  // A million draws, a quarter each; 2,200 is five standard deviations.
  CHECK(counts[1] + counts[4] == 0);
  for (const Move move : {0, 2, 3, 5}) {
    CHECK(counts[move] > 250000 - 2200);
    CHECK(counts[move] < 250000 + 2200);
  }
}

TEST_CASE("kernels are found by name") {
  CHECK(env::kernels().back().name == std::string("portable"));
  for (const auto& kernel : env::kernels())
    CHECK(&env::kernel(kernel.name) == &kernel);
  CHECK(contains(error_of(ErrorKind::kUsage, [] { env::kernel("mmx"); }),
                 "no batch kernel 'mmx' on this machine; there are "));
}

}  // namespace awale::test
