#include "mcts/baseline/minimax_player.hpp"

#include <optional>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

using env::Game;
using env::Move;
using env::RuleSet;
using mcts::MinimaxConfig;
using mcts::MinimaxPlayer;

MinimaxConfig fixed_depth(int depth) {
  MinimaxConfig config;
  config.depth = depth;
  return config;
}

// Moves of `player` for all `games` at once.
std::vector<Move> choose(MinimaxPlayer& player, const std::vector<Game>& games,
                         const std::vector<std::uint64_t>& ids) {
  std::vector<const Game*> pointers;
  for (const Game& game : games)
    pointers.push_back(&game);
  std::vector<Move> moves(games.size());
  player.choose_moves(pointers, ids, moves);
  return moves;
}

}  // namespace

TEST_CASE("the minimax player is named after its depth or its time") {
  MinimaxConfig config = fixed_depth(6);
  CHECK(MinimaxPlayer(config).name() == "minimax:6");
  config.time_ms = 20;
  CHECK(MinimaxPlayer(config).name() == "minimax:20ms");
  config = fixed_depth(6);
  config.nodes = 5000;
  CHECK(MinimaxPlayer(config).name() == "minimax:5000nodes");
  mcts::set_minimax_field(config, "evaluation", "tuned");
  CHECK(MinimaxPlayer(config).name() == "minimax:5000nodes@evaluation=tuned");
  mcts::set_minimax_field(config, "table", "abapa.eg");
  CHECK(MinimaxPlayer(config).name() == "minimax:5000nodes@evaluation=tuned,table=abapa.eg");
  CHECK(error_of(ErrorKind::kUsage, [&] { mcts::set_minimax_field(config, "depht", "1"); }) ==
        "minimax setting: expected evaluation=NAME or table=FILE, found 'depht=1'");
  CHECK(error_of(ErrorKind::kUsage, [&] { mcts::set_minimax_field(config, "evaluation", "x"); }) ==
        "evaluation: expected seeds or tuned, found x");
}

TEST_CASE("the minimax player's moves do not depend on the batch") {
  std::vector<Game> games;
  std::vector<std::uint64_t> ids;
  for (std::uint64_t id = 0; id < 8; ++id) {
    env::RandomStream random(1, env::RandomPurpose::kTest, id, 5);
    games.push_back(
        random_game(RuleSet{}, env::initial_board(), static_cast<int>(random.below(80)), random));
    ids.push_back(id + 100);
  }
  for (const auto seed : {std::optional<std::uint64_t>(), std::optional<std::uint64_t>(7)}) {
    MinimaxPlayer player(fixed_depth(3), seed);
    const auto together = choose(player, games, ids);
    for (std::size_t i = 0; i < games.size(); ++i) {
      CHECK((games[i].legal() >> together[i] & 1) == 1);
      MinimaxPlayer alone(fixed_depth(3), seed);
      CHECK(choose(alone, {games[i]}, {ids[i]})[0] == together[i]);
    }
  }
}

TEST_CASE("with a seed the minimax player draws among all equal best moves") {
  const Game game{RuleSet{}};  // at depth 1 all six moves are equal
  std::vector<int> counts(env::kMoves, 0);
  MinimaxPlayer player(fixed_depth(1), 3);
  for (std::uint64_t id = 0; id < 300; ++id)
    ++counts[choose(player, {game}, {id})[0]];
  for (const int count : counts)
    CHECK(count > 20);
  const Game winning(RuleSet{}, env::parse_board("1-0-0-0-0-1-1-0-0-0-0-4-23-18-S"));
  for (std::uint64_t id = 0; id < 20; ++id)
    CHECK(choose(player, {winning}, {id})[0] == 5);
}

TEST_CASE("the minimax player plays a forced move") {
  const Game game(RuleSet{}, env::parse_board("6-0-0-0-1-0-0-0-0-0-0-0-20-21-S"));
  MinimaxPlayer player(fixed_depth(4));
  CHECK(choose(player, {game}, {0})[0] == 0);
}

}  // namespace awale::test
