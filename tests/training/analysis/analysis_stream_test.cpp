// A stream of requests: each answered, in order, with what a search of that position alone finds.
#include "training/analysis/analysis_stream.hpp"

#include <sstream>

#include "env/notation.hpp"
#include "env/random.hpp"
#include "env/rules.hpp"
#include "nn/hash_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/analysis/hash_setup.hpp"

namespace awale::test {
namespace {

using Json = nlohmann::ordered_json;
using training::AnalysisStreamConfig;

constexpr int kMostSimulations = 200;

AnalysisStreamConfig config_of(int batch, int threads) {
  return {env::preset("abapa"), 50, batch, threads};
}

std::vector<Json> answers(const std::string& requests, int batch = 7, int threads = 1) {
  std::istringstream input(requests);
  std::ostringstream output;
  training::analyze_stream(config_of(batch, threads), hash_setup(kMostSimulations), input, output);
  std::istringstream lines(output.str());
  std::vector<Json> found;
  for (std::string line; std::getline(lines, line);)
    found.push_back(Json::parse(line));
  return found;
}

// What must be said of a game's position, found by a search of its own.
Json expected_answer(const env::Game& game, int simulations) {
  const auto setup = hash_setup(kMostSimulations);
  nn::HashEvaluator evaluator;
  mcts::SearchConfig config = setup.search;
  config.simulations = simulations;
  mcts::BatchedSearch search(game.rules(), config, 1);
  const mcts::SearchRoot root{game.position(), game.history()};
  training::Analysis analysis(game);
  analysis.simulations = simulations;
  analysis.evaluator = evaluator.name();
  search.run({&root, 1}, evaluator, {&analysis.result, 1});
  analysis.line = env::line_text(game, search.principal_variation(0, training::kAnalysisLinePlies));
  return training::to_json(analysis);
}

TEST_CASE("a stream's answers are those of single searches, whatever the batch and the threads") {
  std::string requests;
  std::vector<Json> expected;
  env::RandomStream random(5, env::RandomPurpose::kTest, 0, 0);
  for (int i = 0; i < 60; ++i) {
    const std::string rules = i % 3 == 0 ? "awari" : "abapa";
    env::Game game(env::preset(rules));
    std::vector<env::Move> moves;
    for (std::uint32_t ply = random.below(30); ply > 0 && !game.over(); --ply) {
      env::Move move = 0;
      do {
        move = static_cast<env::Move>(random.below(env::kMoves));
      } while ((game.legal() >> move & 1) == 0);
      moves.push_back(move);
      game.play(move);
    }
    if (game.over()) continue;
    const int simulations = 1 + static_cast<int>(random.below(kMostSimulations));
    const Json request = {{"id", i},
                          {"rules", rules},
                          {"moves", env::line_text(env::Game(env::preset(rules)), moves)},
                          {"simulations", simulations}};
    requests += request.dump() + "\n";
    Json answer = {{"id", i}};
    answer.update(expected_answer(game, simulations));
    expected.push_back(answer);
  }
  for (const int threads : {1, 2, 3}) {
    for (const int batch : {1, 7, 100}) {
      INFO(threads << " threads, batches of " << batch);
      CHECK(answers(requests, batch, threads) == expected);
    }
  }
}

TEST_CASE("whatever a request leaves out is the stream's") {
  const auto found = answers("{}\n");
  REQUIRE(found.size() == 1);
  Json expected = {{"id", nullptr}};
  expected.update(expected_answer(env::Game(env::preset("abapa")), 50));
  CHECK(found.front() == expected);
}

TEST_CASE("an id comes back as it was, and study positions need a word") {
  const auto found = answers(
      "{\"id\": {\"a\": [1, \"x\"]}, \"position\": \"0-0-0-0-0-2-0-0-0-0-0-2\", \"study\": true}\n"
      "\n"
      "  \r\n"
      "{\"id\": \"no\", \"position\": \"0-0-0-0-0-2-0-0-0-0-0-2\"}\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0]["id"] == Json{{"a", {1, "x"}}});
  CHECK(found[0].contains("moves"));
  CHECK(found[1]["id"] == "no");
  CHECK(found[1].contains("error"));
}

TEST_CASE("a game that is over is told to be") {
  const auto found = answers("{\"position\": \"1-0-0-0-0-0-0-0-0-0-0-0-25-22-S\", \"id\": 3}\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0]["over"] == true);
  CHECK(found[0]["reason"] == "target");
  CHECK(found[0]["margin_south_seeds"] == 4);
}

TEST_CASE("a line that is no request is answered with what is wrong, and the next one read") {
  const std::vector<std::pair<std::string, std::string>> bad = {
      {"hello", "JSON"},
      {"[1]", "expected an object, found array"},
      {"{\"id\": 1, \"position\": 5}", "position: expected a text, found 5"},
      {"{\"id\": 1, \"moves\": \"Fx\"}", "x"},
      {"{\"id\": 1, \"moves\": [\"F\"]}", "moves: expected a text"},
      {"{\"id\": 1, \"rules\": \"chess\"}", "chess"},
      {"{\"id\": 1, \"simulations\": 0}", "simulations: expected a whole number 1..200, found 0"},
      {"{\"id\": 1, \"simulations\": 201}", "found 201"},
      {"{\"id\": 1, \"simulations\": 18446744073709551615}", "1..200"},
      {"{\"id\": 1, \"simulations\": 1e300}", "1..200"},
      {"{\"id\": 1, \"simulations\": 2.5}", "1..200"},
      {"{\"id\": 1, \"study\": 1}", "study: expected true or false"},
      {"{\"id\": 1, \"visits\": 5}", "found 'visits'"},
      {"{\"id\": 1, \"position\": \"4-4\"}", "4-4"},
      {"\xff\xfe", "JSON"},
      {"{\"id\": 1, \"position\": \"\xff\"}", ""},
      {std::string(100000, '['), "JSON"}};
  for (const auto& [line, says] : bad) {
    INFO(line.substr(0, 100));
    const auto found = answers(line + "\n{\"id\": 2}\n");
    REQUIRE(found.size() == 2);
    REQUIRE(found[0].contains("error"));
    CHECK(contains(found[0]["error"].get<std::string>(), says));
    CHECK(found[1]["id"] == 2);
    CHECK(found[1].contains("moves"));
  }
}

TEST_CASE("rules that the network has not been trained for are refused") {
  auto setup = hash_setup(kMostSimulations);
  setup.require_rules = [](const env::RuleSet& rules) {
    if (rules.name != "abapa") throw InputError(ErrorKind::kMismatch, "only abapa");
  };
  std::istringstream input("{\"rules\": \"awari\"}\n{}\n");
  std::ostringstream output;
  training::analyze_stream(config_of(8, 1), setup, input, output);
  CHECK(contains(output.str(), "{\"id\":null,\"error\":\"only abapa\"}\n"));
  CHECK(contains(output.str(), "\"best\""));
}

std::string random_request(env::RandomStream& random) {
  static const std::vector<std::string> parts = {"{",
                                                 "}",
                                                 "[",
                                                 "]",
                                                 ":",
                                                 ",",
                                                 "\"id\"",
                                                 "\"position\"",
                                                 "\"moves\"",
                                                 "\"rules\"",
                                                 "\"simulations\"",
                                                 "\"study\"",
                                                 "\"start\"",
                                                 "\"FfBe\"",
                                                 "\"awari\"",
                                                 "true",
                                                 "null",
                                                 "1",
                                                 "-1",
                                                 "1e9",
                                                 "\"",
                                                 "\\u0000",
                                                 "\xff",
                                                 "\"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\"",
                                                 "{}",
                                                 "{\"moves\": \"Ff\"}",
                                                 "{\"simulations\": 3, \"id\": 1}",
                                                 " "};
  std::string line;
  for (std::uint32_t count = random.below(12); count > 0; --count) {
    line += random.below(8) == 0 ? std::string(1, static_cast<char>(random.below(256)))
                                 : parts[random.below(static_cast<std::uint32_t>(parts.size()))];
  }
  return line;
}

// Of the lines that a stream reads, those that are not blank.
std::size_t requests_in(const std::string& text) {
  std::istringstream lines(text);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line);)
    count += line.find_first_not_of(" \t\r") == std::string::npos ? 0 : 1;
  return count;
}

void check_streams(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t number = begin; number < end; ++number) {
    env::RandomStream random(91, env::RandomPurpose::kTest, number, 0);
    std::string requests;
    for (std::uint32_t lines = random.below(6); lines > 0; --lines)
      requests += random_request(random) + "\n";
    INFO("stream " << number << ":\n" << requests);
    REQUIRE(answers(requests).size() == requests_in(requests));
  }
}

TEST_CASE("streams of random words and bytes get an answer a line") {
  check_streams(0, 1000);
}

TEST_CASE("a hundred thousand random streams", "[.long]") {
  check_streams(1000, 101'000);
}

}  // namespace
}  // namespace awale::test
