// What every user of BatchEnv may rely on.
#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "env/batch_env.hpp"
#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/env/snapshot.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::BatchEnv;
using env::Board;
using env::kNoMove;
using env::Move;
using env::RuleSet;

std::vector<Snapshot> snapshots(const BatchEnv& batch) {
  std::vector<Snapshot> all;
  for (int game = 0; game < batch.size(); ++game)
    all.push_back(snapshot(batch, game));
  return all;
}

// kNone while the game goes on.
env::EndReason reason(const BatchEnv& batch, int game) {
  return batch.over(game) ? batch.outcome(game).reason : env::EndReason::kNone;
}

std::vector<int> finished(const BatchEnv& batch) {
  return {batch.finished().begin(), batch.finished().end()};
}

std::vector<int> all_games(const BatchEnv& batch) {
  std::vector<int> games(batch.size());
  std::iota(games.begin(), games.end(), 0);
  return games;
}

// The lowest legal move everywhere, kNoMove where a game has ended.
std::vector<Move> lowest_moves(const BatchEnv& batch) {
  std::vector<Move> moves;
  for (const env::LegalMask legal : batch.legal_masks())
    moves.push_back(legal == 0 ? kNoMove : nth_move(legal, 0));
  return moves;
}

BatchEnv batch_at(const RuleSet& rules, const std::vector<std::string>& positions) {
  BatchEnv batch(rules, static_cast<int>(positions.size()));
  std::vector<Board> starts;
  for (const auto& position : positions)
    starts.push_back(env::parse_board(position));
  batch.reset(all_games(batch), starts);
  return batch;
}

std::string step_error(BatchEnv& batch, const std::vector<Move>& moves) {
  return error_of(ErrorKind::kPosition, [&] { batch.step(moves); });
}

constexpr const char* kOver = "1-1-0-0-0-0-0-0-0-0-0-0-23-23-S";
constexpr const char* kNearTarget = "1-0-0-0-0-1-1-0-0-0-0-4-23-18-S";

}  // namespace

TEST_CASE("a batch of any size starts at the start position") {
  for (const int size : {0, 1, 7}) {
    BatchEnv batch(RuleSet{}, size);
    CHECK(batch.size() == size);
    CHECK(batch.legal_masks().size() == static_cast<std::size_t>(size));
    CHECK(batch.finished().empty());
    for (int game = 0; game < size; ++game) {
      CHECK(batch.position(game).board == env::initial_board());
      CHECK(batch.legal_masks()[game] == 0b111111);
      CHECK(batch.history(game).size() == 1);
    }
    batch.step(lowest_moves(batch));
    batch.reset();
    CHECK(snapshots(batch) == snapshots(BatchEnv(RuleSet{}, size)));
  }
}

TEST_CASE("a negative size and invalid rules are refused") {
  CHECK(contains(error_of(ErrorKind::kUsage, [] { BatchEnv(RuleSet{}, -1); }), "found -1"));
  RuleSet rules;
  rules.ply_limit = -5;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { BatchEnv(rules, 2); }), "rules.ply_limit"));
}

TEST_CASE("a game that has ended stays as it is and takes only kNoMove") {
  BatchEnv batch = batch_at(RuleSet{}, {kNearTarget, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"});
  batch.step(std::vector<Move>{5, 0});
  CHECK(finished(batch) == std::vector<int>{0});
  CHECK(batch.over(0));
  CHECK(batch.legal_masks()[0] == 0);
  CHECK(reason(batch, 0) == env::EndReason::kTarget);
  const Snapshot last = snapshot(batch, 0);

  CHECK(step_error(batch, {0, 0}) ==
        "batch of games: game 0, ply 2: expected kNoMove because the game is over, found a");
  batch.step(std::vector<Move>{kNoMove, 0});
  CHECK(snapshot(batch, 0) == last);
  CHECK(batch.finished().empty());  // only what the last step ended
  CHECK(batch.position(1).ply == 2);
}

TEST_CASE("an illegal move in one of many games changes none of them") {
  BatchEnv batch(RuleSet{}, 9);
  batch.step(std::vector<Move>(9, 2));
  batch.step(std::vector<Move>(9, 1));
  const auto before = snapshots(batch);
  std::vector<Move> moves(9, 3);
  moves[4] = 2;  // C is empty
  CHECK(step_error(batch, moves) ==
        "batch of games: game 4, ply 3: expected one of A B D E F, found C");
  moves[4] = kNoMove;
  CHECK(contains(step_error(batch, moves), "game 4, ply 3: expected one of A B D E F, found 255"));
  moves[4] = 6;
  CHECK(contains(step_error(batch, moves), "found 6"));
  CHECK(snapshots(batch) == before);
}

TEST_CASE("a step with another number of moves is refused") {
  BatchEnv batch(RuleSet{}, 3);
  CHECK(step_error(batch, {0, 0}) == "batch of games: expected 3 moves, found 2");
  CHECK(step_error(batch, {0, 0, 0, 0}) == "batch of games: expected 3 moves, found 4");
  CHECK(batch.position(0).ply == 0);
}

TEST_CASE("a reset of some games leaves the others alone") {
  BatchEnv batch(RuleSet{}, 5);
  batch.step(std::vector<Move>(5, 3));
  const auto before = snapshots(batch);
  batch.reset(std::vector<int>{3, 1});
  const Snapshot start = snapshot(BatchEnv(RuleSet{}, 1), 0);
  CHECK(snapshots(batch) == std::vector<Snapshot>{before[0], start, before[2], start, before[4]});
  CHECK(batch.history(1).size() == 1);
  batch.reset(std::vector<int>{});
  CHECK(snapshot(batch, 0) == before[0]);
}

TEST_CASE("a reset takes given positions, even some that are over") {
  BatchEnv batch(RuleSet{}, 3);
  const std::vector<Board> starts = {env::parse_board(kOver), env::parse_board(kNearTarget)};
  batch.reset(std::vector<int>{2, 0}, starts);
  REQUIRE(batch.over(2));
  CHECK(batch.legal_masks()[2] == 0);
  CHECK(batch.outcome(2).margin_south_seeds == 2);
  CHECK(batch.finished().empty());  // no step has ended it
  CHECK(batch.position(0).board == starts[1]);
  CHECK(batch.position(1).board == env::initial_board());
}

TEST_CASE("the finished games can be passed to reset as they are") {
  BatchEnv batch = batch_at(RuleSet{}, {kNearTarget, kNearTarget, kNearTarget});
  batch.step(std::vector<Move>{5, 0, 5});
  REQUIRE(finished(batch) == std::vector<int>{0, 2});
  batch.reset(batch.finished());
  CHECK(batch.finished().empty());
  CHECK(batch.position(0).ply == 0);
  CHECK(batch.position(1).ply == 1);
  CHECK(batch.position(2).ply == 0);
}

TEST_CASE("a bad list of games to reset changes nothing and names the game") {
  BatchEnv batch(RuleSet{}, 4);
  batch.step(std::vector<Move>(4, 0));
  const auto before = snapshots(batch);
  const auto reset_error = [&](const std::vector<int>& games, const std::vector<Board>& starts) {
    return error_of(ErrorKind::kPosition, [&] { batch.reset(games, starts); });
  };
  const Board start = env::initial_board();
  CHECK(reset_error({0, 4}, {start, start}) == "batch of games: game 4: expected an index below 4");
  CHECK(contains(reset_error({-1}, {start}), "game -1: expected an index"));
  CHECK(reset_error({2, 0, 2}, {start, start, start}) == "batch of games: game 2 is listed twice");
  CHECK(contains(reset_error({0, 1}, {start}), "each of 2 games to reset, found 1"));
  Board overfull = start;
  overfull.store_opponent = 1;
  CHECK(contains(reset_error({0, 1}, {start, overfull}), "holds 49 seeds"));
  CHECK(snapshots(batch) == before);
}

TEST_CASE("a loaded game goes on where it was, its history included") {
  BatchEnv batch = batch_at(RuleSet{}, {kNearTarget, kNearTarget});
  const Board circle = env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
  batch.load(1, env::replay(RuleSet{}, circle, "AaBbCcDdEeF"));
  CHECK(batch.position(1).ply == 11);
  CHECK(batch.history(1).size() == 12);
  CHECK(batch.legal_masks()[1] == 0b100000);
  CHECK(batch.position(0).board == env::parse_board(kNearTarget));
  batch.step(std::vector<Move>{0, 5});
  CHECK(reason(batch, 1) == env::EndReason::kRepetition);
}

TEST_CASE("a game with a longer history than all others can be loaded") {
  RuleSet rules;
  rules.repetition_occurrence = 10;
  const Board circle = env::parse_board("1-0-0-0-0-0-1-0-0-0-0-0-23-23-S");
  std::string moves;
  for (int round = 1; round < 9; ++round)
    moves += "AaBbCcDdEeFf";
  const env::Game game = env::replay(rules, circle, moves);
  for (const env::Kernel& kernel : env::kernels()) {
    INFO(kernel.name);
    BatchEnv batch(rules, 2, kernel);
    batch.load(1, game);
    CHECK(batch.position(1).repetitions == 8);
    CHECK(std::ranges::equal(batch.history(1), game.history()));
    for (int ply = 0; ply < 12; ++ply)
      batch.step(lowest_moves(batch));
    CHECK(reason(batch, 1) == env::EndReason::kRepetition);
  }
}

TEST_CASE("loading under other rules or at a wrong index changes nothing") {
  BatchEnv batch(RuleSet{}, 2);
  const auto before = snapshots(batch);
  const env::Game abapa = env::replay(RuleSet{}, env::initial_board(), "Aa");
  const env::Game awari(env::preset("awari"));
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { batch.load(2, abapa); }),
                 "game 2: expected an index below 2"));
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { batch.load(1, awari); }),
                 "game 1 to load: expected the rules abapa, found awari"));
  CHECK(snapshots(batch) == before);
}

TEST_CASE("all endings in one batch") {
  RuleSet rules;
  rules.ply_limit = 14;
  const std::string circle = "1-0-0-0-0-0-1-0-0-0-0-0-23-23-S";
  BatchEnv batch = batch_at(rules, {kNearTarget, circle, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S",
                                    "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S"});
  std::vector<std::vector<int>> ended;
  for (int ply = 1; ply <= 14; ++ply) {
    auto moves = lowest_moves(batch);
    if (ply == 1) moves[0] = 5;
    batch.step(moves);
    if (!batch.finished().empty()) ended.push_back(finished(batch));
  }
  CHECK(ended == std::vector<std::vector<int>>{{0, 3}, {1}, {2}});
  CHECK(reason(batch, 0) == env::EndReason::kTarget);
  CHECK(reason(batch, 1) == env::EndReason::kRepetition);
  CHECK(reason(batch, 2) == env::EndReason::kPlyLimit);
  CHECK(reason(batch, 3) == env::EndReason::kNoMoves);
  CHECK(batch.position(1).ply == 12);
  batch.step(std::vector<Move>(4, kNoMove));  // nothing is left to play
  CHECK(batch.finished().empty());
}

TEST_CASE("a game does not depend on the other games of the batch") {
  const RuleSet rules;
  const auto play_out = [&](int size, int game) {
    BatchEnv batch(rules, size);
    std::vector<Snapshot> line;
    while (!batch.over(game)) {
      std::vector<Move> moves;
      for (int i = 0; i < size; ++i) {
        const env::LegalMask legal = batch.legal_masks()[i];
        const int id = i - game;  // the same random moves at another place of another batch
        env::RandomStream random(1, env::RandomPurpose::kTest, static_cast<std::uint64_t>(id + 9),
                                 batch.position(i).ply);
        const auto count = letters(env::Side::kSouth, legal).size();
        moves.push_back(legal == 0
                            ? kNoMove
                            : nth_move(legal, random.below(static_cast<std::uint32_t>(count))));
      }
      batch.step(moves);
      line.push_back(snapshot(batch, game));
    }
    return line;
  };
  CHECK(play_out(1, 0) == play_out(5, 3));
}

TEST_CASE("a game index outside the batch throws") {
  const BatchEnv batch(RuleSet{}, 2);
  CHECK_THROWS_AS(batch.position(2), std::out_of_range);
  CHECK_THROWS_AS(batch.over(-1), std::out_of_range);
}

}  // namespace awale::test
