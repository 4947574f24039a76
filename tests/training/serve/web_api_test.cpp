// The interface of the page, without HTTP.
#include "training/serve/web_api.hpp"

#include "env/error.hpp"
#include "env/notation.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/analysis/hash_setup.hpp"

namespace awale::test {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostSimulations = 500;

// A network of two rule sets.
training::AnalystSetup setup_of_two() {
  auto setup = hash_setup(kMostSimulations);
  setup.require_rules = [](const env::RuleSet& rules) {
    if (rules.name != "abapa" && rules.name != "awari")
      throw InputError(ErrorKind::kMismatch, "not trained for " + rules.name);
  };
  return setup;
}

struct TestApi : training::WebApi {
  TestApi()
      : WebApi({{env::preset("abapa"), env::preset("awari")}, "none", "hash", 30, 1},
               setup_of_two()) {}
};

TEST_CASE("info tells what the page needs to begin") {
  const Json info = TestApi().info();
  CHECK(info["presets"].size() == 2);
  CHECK(info["presets"][0]["name"] == "abapa");
  CHECK(info["presets"][1]["rules"]["capture_counts"] == "2,3");
  CHECK(info["simulations"] == 30);
  CHECK(info["most_simulations"] == 500);
  CHECK(info["table"].is_null());
}

TEST_CASE("a game is told from its moves, by a preset or by parameters") {
  const TestApi api;
  CHECK(api.game("{}")["moves"] == "");
  CHECK(api.game(R"({"moves": "Ff"})")["board"]["to_move"] == "South");
  CHECK(api.game(R"({"rules": "awari"})")["rules"] == "awari");
  const Json custom = api.game(R"({"rules": {"grand_slam": "capture", "target_seeds": "20"}})");
  CHECK(custom["rules"] == "custom");
  CHECK(custom["parameters"]["target_seeds"] == "20");
  const Json again =
      api.game(Json{{"rules", api.game("{\"rules\": \"awari\"}")["parameters"]}}.dump());
  CHECK(again["rules"] == "awari");  // the preset is known by its parameters
  const Json study = api.game(R"({"start": "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S"})");
  CHECK(study["start"]["position"] == "0-0-0-0-0-1-1-0-0-0-0-0-0-0-S");
}

TEST_CASE("a move is what a search of the position finds, and is played") {
  TestApi api;
  training::AnalystSetup setup = setup_of_two();
  const training::AnalysisRequest asked{env::replay({}, env::initial_board(), "FfB"), 77};
  const auto expected = training::Analyst(setup).analyze({&asked, 1}).front();
  const Json found = api.move(R"({"moves": "FfB", "simulations": 77})");
  CHECK(found["analysis"] == to_json(expected));
  const std::string letter(1, env::move_letter(env::Side::kNorth, expected.result.best));
  CHECK(found["ply"]["move"] == letter);
  const Json game = api.game(Json{{"moves", "FfB" + letter}}.dump());
  CHECK(found["ply"] == game["plies"].back());
  CHECK(found["over"] == game["over"]);
}

TEST_CASE("an analysis doubles its simulations up to those asked for, and ends with a move's") {
  TestApi api;
  auto next = api.analyze(R"({"moves": "Ff", "simulations": 50})");
  std::vector<int> simulations;
  Json last;
  while (const auto analysis = next()) {
    simulations.push_back((*analysis)["simulations"]);
    last = *analysis;
  }
  CHECK(simulations == std::vector<int>{2, 4, 8, 16, 32, 50});
  CHECK(last == api.move(R"({"moves": "Ff", "simulations": 50})")["analysis"]);
  auto one = api.analyze(R"({"simulations": 1})");
  CHECK(one().has_value());
  CHECK_FALSE(one().has_value());
  // Two seeds that can only be played out: certain at once.
  auto solved = api.analyze(R"({"start": "0-0-0-0-0-1-1-0-0-0-0-0-23-23-S", "simulations": 500})");
  int reports = 0;
  while (solved())
    ++reports;
  CHECK(reports < 8);
}

TEST_CASE("games that are over have no move, and other networks' rules no search") {
  TestApi api;
  const std::string over = R"({"start": "4-0-0-0-0-0-0-0-0-0-0-0-25-19-S"})";
  CHECK_FALSE(api.game(over)["over"].is_null());
  CHECK_THROWS_AS(api.move(over), training::GameIsOver);
  CHECK_THROWS_AS(api.analyze(over), training::GameIsOver);
  CHECK(contains(error_of(ErrorKind::kMismatch, [&] { api.move(R"({"rules": "valencian"})"); }),
                 "valencian"));
}

TEST_CASE("what is no request is refused by what was expected") {
  TestApi api;
  const auto problem = [&](const char* body) {
    return error_of(ErrorKind::kUsage, [&] { api.move(body); });
  };
  CHECK(contains(problem(""), "expected a JSON object"));
  CHECK(contains(problem("[1]"), "expected a JSON object"));
  CHECK(contains(problem("{\"moves\": \"\xff\"}"), "expected a JSON object"));
  CHECK(contains(problem(R"({"move": "F"})"), "found \"move\""));
  CHECK(contains(problem(R"({"moves": 7})"), "moves: expected a text, found 7"));
  CHECK(contains(problem(R"({"rules": 7})"), "rules: expected a text, found 7"));
  CHECK(contains(problem(R"({"rules": "oware"})"), "no preset 'oware'"));
  CHECK(contains(problem(R"({"rules": {"seeds": "4"}})"), "seeds"));
  CHECK(contains(problem(R"({"rules": {"target_seeds": 25}})"), "target_seeds: expected a text"));
  CHECK(contains(problem(R"({"rules": {"target_seeds": "99"}})"), "target_seeds"));
  CHECK(contains(problem(R"({"simulations": 0})"), "1..500, found 0"));
  CHECK(contains(problem(R"({"simulations": 501})"), "1..500"));
  CHECK(contains(problem(R"({"simulations": 1e300})"), "1..500"));
  CHECK(contains(problem(R"({"simulations": 18446744073709551617})"), "1..500"));
  CHECK(contains(problem(("{\"moves\": \"" + std::string(5000, 'A') + "\"}").c_str()), "at most"));
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { api.game(R"({"moves": "FF"})"); }), "ply 2"));
  CHECK(contains(error_of(ErrorKind::kPosition, [&] { api.game(R"({"start": "4-4"})"); }), "4-4"));
  // However long, a message is a line of a line's length.
  const std::string long_text = "{\"" + std::string(100000, 'x') + "\": 1}";
  CHECK(problem(long_text.c_str()).size() < 200);
}

TEST_CASE("a saved game is loaded as it was, in both formats") {
  const TestApi api;
  const Json request = {{"rules", "awari"}, {"moves", "FfBe"}, {"tags", {{"South", "Ann \"A\""}}}};
  const Json saved = api.save(request.dump());
  const Json ogn = api.load(Json{{"text", saved["ogn"]}, {"format", "ogn"}}.dump());
  REQUIRE(ogn["games"].size() == 1);
  CHECK(ogn["games"][0]["game"] == api.game(R"({"rules": "awari", "moves": "FfBe"})"));
  CHECK(ogn["games"][0]["tags"]["South"] == "Ann \"A\"");
  const Json moves =
      api.load(Json{{"text", saved["moves"]}, {"format", "moves"}, {"rules", "awari"}}.dump());
  CHECK(moves["games"][0]["game"] == ogn["games"][0]["game"]);
  CHECK(contains(
      error_of(ErrorKind::kPosition, [&] { api.load(R"({"text": "FfX", "format": "moves"})"); }),
      "line 1"));
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { api.load(R"({"text": "", "format": "pgn"})"); }),
                 "ogn or moves"));
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { api.save(R"({"tags": {"South": 1}})"); }),
                 "tags"));
}

}  // namespace
}  // namespace awale::test
