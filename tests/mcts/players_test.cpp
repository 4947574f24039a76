#include <set>

#include "mcts/players/game_player.hpp"
#include "mcts/players/random_player.hpp"
#include "mcts/players/search_player.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/mcts/positions.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"

namespace awale::test {
namespace {

mcts::SearchPlayer search_player(const env::RuleSet& rules, const mcts::SearchPlayerConfig& config,
                                 std::uint64_t seed = 1) {
  return {rules, config, seed, std::make_unique<nn::HashEvaluator>(), "mcts:40 hash"};
}

mcts::SearchPlayerConfig config_of(int simulations, int sampled_plies = 0) {
  mcts::SearchPlayerConfig config;
  config.search.simulations = simulations;
  config.sampled_plies = sampled_plies;
  return config;
}

// The player's moves in all games at once; ids as given.
std::vector<env::Move> moves_of(mcts::Player& player, const std::vector<env::Game>& games,
                                const std::vector<std::uint64_t>& ids) {
  std::vector<const env::Game*> pointers;
  for (const auto& game : games)
    pointers.push_back(&game);
  std::vector<env::Move> moves(games.size());
  player.choose_moves(pointers, ids, moves);
  return moves;
}

std::vector<std::uint64_t> ids_of(std::size_t count) {
  std::vector<std::uint64_t> ids(count);
  for (std::size_t i = 0; i < count; ++i)
    ids[i] = 100 + i;
  return ids;
}

// What every player promises.
void check_contract(mcts::Player& player, const std::vector<env::Game>& games) {
  const auto ids = ids_of(games.size());
  const auto together = moves_of(player, games, ids);
  CHECK(moves_of(player, games, ids) == together);
  for (std::size_t i = 0; i < games.size(); ++i) {
    CHECK((games[i].legal() >> together[i] & 1) == 1);
    CHECK(moves_of(player, {games[i]}, {ids[i]})[0] == together[i]);
  }
  CHECK(moves_of(player, {}, {}).empty());
}

// A game player, and the numbers of threads that it wanted its evaluators for.
struct Threaded {
  Threaded(const env::RuleSet& rules, const mcts::SearchConfig& config, int threads)
      : player(
            rules, config, 1, threads,
            [this](int shared) {
              asked.push_back(shared);
              return std::make_unique<nn::HashEvaluator>();
            },
            "threaded") {}

  std::vector<int> asked;
  mcts::GamePlayer player;
};

TEST_CASE("a game player plays what the batched search plays, on any number of threads") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 30, 52);
  const auto ids = ids_of(games.size());
  for (const auto algorithm : {mcts::Algorithm::kGumbel, mcts::Algorithm::kPuct}) {
    auto config = config_of(60);
    config.search.algorithm = algorithm;
    config.search.gumbel_noise = 1;  // which players leave out
    config.search.noise_weight = 0.5F;
    auto batched = search_player(rules, config);
    const auto expected = moves_of(batched, games, ids);
    for (const int threads : {1, 2, 9}) {
      Threaded threaded(rules, config.search, threads);
      check_contract(threaded.player, games);
      CHECK(moves_of(threaded.player, games, ids) == expected);
      const bool gumbel = algorithm == mcts::Algorithm::kGumbel;
      CHECK(threaded.asked ==
            (gumbel ? std::vector<int>(std::min(threads, 6), 1) : std::vector<int>{threads}));
    }
  }
}

TEST_CASE("a game search tells its line, its evaluator and that it needs a thread") {
  const auto rules = env::preset("abapa");
  const env::Game game(rules);
  const auto make = [](int) { return std::make_unique<nn::HashEvaluator>(); };
  mcts::SearchConfig config;
  for (const auto algorithm : {mcts::Algorithm::kGumbel, mcts::Algorithm::kPuct}) {
    config.algorithm = algorithm;
    mcts::GameSearch search(rules, config, 1, 2, make);
    const auto result = search.run({game.position(), game.history()});
    const auto line = search.principal_variation(3);
    CHECK(line.size() == 3);
    CHECK(line[0] == result.best);
    CHECK(search.evaluator_name() ==
          (algorithm == mcts::Algorithm::kGumbel ? "hash, 2 threads" : "hash"));
    CHECK(
        contains(error_of(ErrorKind::kUsage, [&] { mcts::GameSearch(rules, config, 1, 0, make); }),
                 "threads"));
  }
}

TEST_CASE("players move legally, whatever other games are in the batch") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 60, 51);
  mcts::RandomPlayer random(1);
  check_contract(random, games);
  auto greedy = search_player(rules, config_of(40));
  check_contract(greedy, games);
  auto sampling = search_player(rules, config_of(40, 1000));
  check_contract(sampling, games);
}

TEST_CASE("the random player takes every legal move equally often") {
  const env::Game game(env::preset("abapa"));
  const std::vector<env::Game> games(6000, game);
  mcts::RandomPlayer player(1);
  std::array<int, env::kMoves> counts = {};
  const auto moves = moves_of(player, games, ids_of(games.size()));
  for (const env::Move move : moves)
    ++counts[move];
  for (const int count : counts)
    CHECK(count == Approx(1000).margin(120));
  mcts::RandomPlayer other_seed(2);
  CHECK(moves_of(other_seed, games, ids_of(games.size())) != moves);
}

TEST_CASE("the search player takes the most visited move and adds no noise") {
  const auto rules = env::preset("abapa");
  const auto games = random_games(rules, 40, 52);
  auto config = config_of(40);
  mcts::BatchedSearch search(rules, config.search, 1);
  nn::HashEvaluator evaluator;
  std::vector<mcts::SearchResult> results(games.size());
  search.run(roots_of(games), evaluator, results);

  config.search.noise_weight = 1;
  auto player = search_player(rules, config);
  const auto moves = moves_of(player, games, ids_of(games.size()));
  for (std::size_t i = 0; i < games.size(); ++i)
    CHECK(moves[i] == results[i].best);
}

TEST_CASE("the search player draws the opening's moves by game id, later ones not") {
  const auto rules = env::preset("abapa");
  auto player = search_player(rules, config_of(40, 3));
  const auto distinct = [&](const env::Game& game) {
    const std::vector<env::Game> games(100, game);
    const auto moves = moves_of(player, games, ids_of(games.size()));
    return std::set<env::Move>(moves.begin(), moves.end()).size();
  };
  CHECK(distinct(env::replay(rules, env::initial_board(), "Ff")) > 1);
  CHECK(distinct(env::replay(rules, env::initial_board(), "FfB")) == 1);
}

TEST_CASE("a search that knows only the rules beats random moves from both seats") {
  const auto rules = env::preset("abapa");
  mcts::SearchPlayer search(rules, config_of(400), 1, std::make_unique<nn::UniformEvaluator>(),
                            "uniform-mcts:400");
  mcts::RandomPlayer random(1);
  CHECK(search.name() == "uniform-mcts:400");
  CHECK(random.name() == "random");
  int won[2] = {};
  for (std::uint64_t id = 0; id < 20; ++id) {
    const auto seat = static_cast<env::Side>(id % 2);
    env::Game game(rules);
    while (!game.over()) {
      const bool searches = game.board().to_move == seat;
      mcts::Player& player = searches ? static_cast<mcts::Player&>(search) : random;
      game.play(moves_of(player, {game}, {id})[0]);
    }
    const int south = game.outcome().margin_south_seeds;
    won[id % 2] += (seat == env::Side::kSouth ? south : -south) > 0 ? 1 : 0;
  }
  // Far from the end it sees nothing and plays by the order of the moves, so not all of them.
  CHECK(won[0] >= 7);
  CHECK(won[1] >= 7);
}

TEST_CASE("a search player's invalid settings are refused by name") {
  const auto rules = env::preset("abapa");
  const auto message_of = [&](const mcts::SearchPlayerConfig& config) {
    return error_of(ErrorKind::kUsage, [&] { search_player(rules, config); });
  };
  auto config = config_of(40);
  config.sampled_plies = -1;
  CHECK(contains(message_of(config), "player.sampled_plies"));
  config = config_of(40);
  config.temperature = 0;
  CHECK(contains(message_of(config), "player.temperature"));
  config = config_of(40);
  config.search.noise_weight = 7;
  CHECK(contains(message_of(config), "search.noise_weight"));
}

}  // namespace
}  // namespace awale::test
