#include "training/players.hpp"

#include <fstream>

#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"

namespace env = awale::env;
using awale::ErrorKind;
using awale::test::contains;
using awale::test::error_of;
using awale::training::make_player;
using awale::training::Match;
using awale::training::parse_player;
using awale::training::PlayerKind;
using awale::training::PlayerSetup;
using awale::training::PlayerSpec;
using awale::training::Progress;

namespace {

bool same(const PlayerSpec& left, const PlayerSpec& right) {
  return left.kind == right.kind && left.number == right.number && left.path == right.path;
}

Match play(const std::string& first, const std::string& second, int threads, int games = 20) {
  const PlayerSetup setup;
  Progress progress("test", "games", static_cast<std::uint64_t>(games));
  return awale::training::play_match(setup.rules, {games, 1, threads},
                                     make_player(parse_player(first), setup).make,
                                     make_player(parse_player(second), setup).make, progress);
}

}  // namespace

TEST_CASE("Player texts are read into what they mean") {
  CHECK(same(parse_player("random"), {PlayerKind::kRandom, 0, {}}));
  CHECK(same(parse_player("minimax:6"), {PlayerKind::kMinimaxDepth, 6, {}}));
  CHECK(same(parse_player("minimax:20ms"), {PlayerKind::kMinimaxTime, 20, {}}));
  CHECK(same(parse_player("minimax:5000nodes"), {PlayerKind::kMinimaxNodes, 5000, {}}));
  CHECK(same(parse_player("uniform-mcts"), {PlayerKind::kUniformSearch, 0, {}}));
  CHECK(same(parse_player("uniform-mcts:400"), {PlayerKind::kUniformSearch, 400, {}}));
  CHECK(same(parse_player("mcts:run"), {PlayerKind::kAgent, 0, "run"}));
  CHECK(same(parse_player("mcts:runs/a.h5:32"), {PlayerKind::kAgent, 32, "runs/a.h5"}));
  CHECK(same(parse_player("runs/a.h5"), {PlayerKind::kAgent, 0, "runs/a.h5"}));
  CHECK(same(parse_player("runs/a:16"), {PlayerKind::kAgent, 16, "runs/a"}));
  CHECK(same(parse_player("runs/a:b"), {PlayerKind::kAgent, 0, "runs/a:b"}));
  CHECK(same(parse_player("pretrained"), {PlayerKind::kAgent, 0, "pretrained"}));
  CHECK(same(parse_player("pretrained:16"), {PlayerKind::kAgent, 16, "pretrained"}));
}

TEST_CASE("The network that comes with the program knows every preset, abapa first") {
  PlayerSetup setup;
  for (const std::string& name : awale::env::preset_names()) {
    setup.rules = awale::env::preset(name);
    const auto player = make_player(parse_player("pretrained:4"), setup);
    CHECK(player.name.find("mcts:4 pretrained, ") == 0);
  }
  CHECK(awale::training::agent_rules({parse_player("pretrained")})->name == "abapa");
}

TEST_CASE("A file called as the network that comes with the program is had by a longer path") {
  const auto error =
      error_of(ErrorKind::kFile, [] { make_player(parse_player("./pretrained"), {}); });
  CHECK(contains(error, "./pretrained"));
}

TEST_CASE("An existing file is a path, whatever it is called") {
  const awale::tests::TempDir directory;
  std::ofstream(directory / "agent") << "x";
  const auto path = (directory / "agent").string();
  CHECK(same(parse_player(path), {PlayerKind::kAgent, 0, path}));
}

TEST_CASE("What is no player is refused with what would be one") {
  for (const char* text : {"", "stockfish", "minimax", "rnadom"}) {
    const auto error = error_of(ErrorKind::kUsage, [&] { parse_player(text); });
    CHECK(contains(error, "player '" + std::string(text) + "': expected random, minimax:DEPTH"));
  }
  for (const char* text : {"minimax:", "minimax:0", "minimax:-2", "minimax:deep", "minimax:ms",
                           "minimax:nodes", "minimax:5s", "minimax:4.5", "minimax:99999999999"}) {
    CHECK(contains(error_of(ErrorKind::kUsage, [&] { parse_player(text); }), "minimax:DEPTH"));
  }
  for (const char* text : {"uniform-mcts:", "uniform-mcts:x", "uniform-mcts:0"}) {
    CHECK(contains(error_of(ErrorKind::kUsage, [&] { parse_player(text); }), "uniform-mcts:S"));
  }
  CHECK(contains(error_of(ErrorKind::kUsage, [] { parse_player("mcts:"); }), "mcts:PATH"));
}

TEST_CASE("A minimax without a depth is told the range of depths") {
  CHECK(contains(error_of(ErrorKind::kUsage, [] { parse_player("minimax:0"); }), "1..99 plies"));
}

TEST_CASE("A setting given twice to a player is refused") {
  for (const char* text : {"pretrained:8@c_scale=1,leaves=2,c_scale=2",
                           "minimax:2@evaluation=tuned,evaluation=tuned"}) {
    CHECK(contains(error_of(ErrorKind::kUsage, [&] { parse_player(text); }), "twice"));
  }
}

TEST_CASE("Numbers out of range and missing files are refused when the player is made") {
  const PlayerSetup setup;
  const auto make = [&](const char* text) { make_player(parse_player(text), setup); };
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { make("minimax:100"); }), "depth"));
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { make("uniform-mcts:70000"); }), "simulations"));
  CHECK(contains(error_of(ErrorKind::kFile, [&] { make("no/such.h5"); }), "no/such.h5"));
}

TEST_CASE("Players are called what they were asked for") {
  PlayerSetup setup;
  setup.search.simulations = 32;
  const auto name = [&](const char* text) { return make_player(parse_player(text), setup).name; };
  CHECK(name("random") == "random");
  CHECK(name("minimax:3") == "minimax:3");
  CHECK(name("minimax:7ms") == "minimax:7ms");
  CHECK(name("minimax:5000nodes") == "minimax:5000nodes");
  CHECK(name("minimax:3@evaluation=tuned") == "minimax:3@evaluation=tuned");
  CHECK(name("minimax:3@evaluation=seeds") == "minimax:3");
  CHECK(name("uniform-mcts") == "uniform-mcts:32");
  CHECK(name("uniform-mcts:8") == "uniform-mcts:8");
}

TEST_CASE("An agent's name tells its simulations, its file and its evaluator") {
  awale::training::Agent agent;
  agent.weights = awale::nn::initial_weights({1, 8}, 1);
  agent.path = "a.h5";
  PlayerSetup setup;
  agent.rules = {setup.rules};
  setup.search.simulations = 16;
  setup.evaluator = {awale::nn::EvaluatorKind::kEigen, awale::nn::Device::kAuto, 64};
  CHECK(make_player(agent, setup).name == "mcts:16 a.h5, eigen 1x8, cache 64");
}

TEST_CASE("An agent that searches one game on threads plays what it plays in many games") {
  awale::training::Agent agent;
  agent.weights = awale::nn::initial_weights({1, 8}, 1);
  PlayerSetup setup;
  agent.rules = {setup.rules};
  setup.search.simulations = 40;
  setup.evaluator.kind = awale::nn::EvaluatorKind::kEigen;
  const auto best_move = [&] {
    const awale::env::Game game(setup.rules);
    const awale::env::Game* games[] = {&game};
    const std::uint64_t ids[] = {7};
    awale::env::Move moves[1];
    make_player(agent, setup).make()->choose_moves(games, ids, moves);
    return moves[0];
  };
  const auto expected = best_move();
  for (const int threads : {1, 2, 3}) {
    setup.threads_a_game = threads;
    CHECK(best_move() == expected);
  }
  setup.threads_a_game = 0;
  CHECK(contains(error_of(ErrorKind::kUsage, best_move), "threads"));
}

TEST_CASE("Evaluator settings that contradict each other are refused though nobody has a network") {
  PlayerSetup setup;
  setup.evaluator = {awale::nn::EvaluatorKind::kEigen, awale::nn::Device::kCuda, 0};
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { make_player(parse_player("random"), setup); }),
                 "evaluator.device"));
}

TEST_CASE("A deeper player beats a weaker one, and the same match plays twice alike") {
  const Match one = play("minimax:4", "random", 1);
  const Match two = play("minimax:4", "random", 2);
  int wins = 0;
  for (std::size_t i = 0; i < one.games.size(); ++i) {
    CHECK(one.games[i].moves == two.games[i].moves);
    wins += one.games[i].margin_first_seeds() > 0 ? 1 : 0;
  }
  CHECK(wins >= 19);
}

TEST_CASE("A search without a network beats chance, alike with one thread and two") {
  // More games than a group holds, so that two threads share them.
  const Match one = play("uniform-mcts:100", "random", 1, 80);
  const Match two = play("uniform-mcts:100", "random", 2, 80);
  int wins = 0;
  for (std::size_t i = 0; i < one.games.size(); ++i) {
    CHECK(one.games[i].moves == two.games[i].moves);
    wins += one.games[i].margin_first_seeds() > 0 ? 1 : 0;
  }
  CHECK(wins >= 52);
}
