// Answers and reports: the same on any number of threads, and readable by programs.
#include "training/truth/report.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "mcts/players/random_player.hpp"
#include "nn/hash_evaluator.hpp"
#include "nn/uniform_evaluator.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/training/truth/tables.hpp"
#include "training/truth/answers.hpp"

namespace awale::test {
namespace {

using training::Asking;
using training::EvaluatorFactory;
using training::GradedSet;
using training::own_games;

const EvaluatorFactory kHash = [] { return std::make_unique<nn::HashEvaluator>(); };

GradedSet sample_set(int threads) {
  const auto rules = env::preset("abapa");
  const Asking asking{rules, threads};
  const auto random = [] { return std::make_unique<mcts::RandomPlayer>(1); };
  GradedSet graded{training::fixed_positions(small_table("abapa"), rules, 900, 1), {}, {}};
  const auto& positions = graded.set.positions;
  graded.network = training::ask_network(asking, kHash, positions);
  mcts::SearchConfig search;
  search.simulations = 12;
  graded.answers.push_back({"search:12", 12, ask_search(asking, search, kHash, positions)});
  graded.answers.push_back({"random, twice", 0, ask_player(asking, random, positions)});
  return graded;
}

TEST_CASE("answers do not depend on the number of threads") {
  const auto one = sample_set(1);
  REQUIRE(one.set.positions.size() > 500);
  for (const int threads : {2, 3}) {
    const auto more = sample_set(threads);
    CHECK(more.answers[0].moves == one.answers[0].moves);
    CHECK(more.answers[1].moves == one.answers[1].moves);
    CHECK(std::equal(one.network.begin(), one.network.end(), more.network.begin(),
                     [](const auto& left, const auto& right) {
                       return left.policy_logits == right.policy_logits &&
                              left.win_draw_loss == right.win_draw_loss;
                     }));
  }
}

TEST_CASE("own games are different ones, the same on any number of threads") {
  const auto random = [] { return std::make_unique<mcts::RandomPlayer>(1); };
  const auto rules = env::preset("abapa");
  auto games = own_games(Asking{rules, 1}, random, 70, 1);
  CHECK(own_games(Asking{rules, 2}, random, 70, 1) == games);
  std::sort(games.begin(), games.end());
  CHECK(std::adjacent_find(games.begin(), games.end()) == games.end());
}

TEST_CASE("the network's move is the legal one with the largest prior, the first of equals") {
  nn::Evaluation evaluation;
  evaluation.policy_logits = {1, 5, 3, -2, 3, 9};
  CHECK(training::prior_move(evaluation, 0b011101) == 2);
  CHECK(training::prior_move(evaluation, 0b111111) == 5);
  CHECK(training::prior_move(evaluation, 0b001000) == 3);
}

TEST_CASE("a report has the same counts by seeds and in all") {
  training::TruthReport report;
  report.table_seeds = 8;
  report.sets.push_back(sample_set(1));
  const auto json = to_json(report);
  const auto& player = json.at("sets").at(0).at("players").at(0);
  CHECK(player.at("player") == "search:12");
  int stake = 0;
  double lost = 0;
  for (const auto& layer : player.at("by_seeds")) {
    stake += layer.at("lost").at("n").get<int>();
    if (layer.at("lost").at("n") > 0) {
      lost += layer.at("lost").at("value").get<double>() * layer.at("lost").at("n").get<int>();
    }
  }
  CHECK(player.at("all").at("lost").at("n") == stake);
  CHECK(player.at("all").at("lost").at("value").get<double>() * stake == Approx(lost));
  CHECK(lost > 0);
  CHECK(json.at("sets").at(0).at("head").at("all").at("reliability").at("win").size() == 10);
  CHECK(json.at("fixed_set_version") == training::kFixedSetVersion);
}

// Fields of a CSV line; commas between quotes part nothing.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> list(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) {
      list.emplace_back();
    } else {
      list.back() += c;
    }
  }
  return list;
}

TEST_CASE("the CSV has a line a graded move and as many fields in each") {
  training::TruthReport report;
  report.table_seeds = 8;
  report.sets.push_back(sample_set(1));
  std::istringstream text(to_csv(report));
  std::string header;
  std::getline(text, header);
  const auto names = fields(header);
  std::size_t lines = 0;
  double lost = 0;
  double stake = 0;
  const auto column = [&names](const char* name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
  };
  for (std::string line; std::getline(text, line); ++lines) {
    const auto values = fields(line);
    REQUIRE(values.size() == names.size());
    if (values.at(column("player")) != "\"search:12\"") continue;
    if (values.at(column("at_stake")) != "1") continue;
    ++stake;
    lost += values.at(column("result_change")) == "lost" ? 1 : 0;
  }
  CHECK(lines == 2 * report.sets[0].set.positions.size());
  const auto all = training::grade_slice(report.sets[0], 0, 48);
  CHECK(all.moves[0].lost.value == Approx(lost / stake));
}

TEST_CASE("a report for people names every player, and tells of an empty set") {
  training::TruthReport report;
  report.table = "abapa.eg";
  report.table_seeds = 8;
  report.sets.push_back(sample_set(1));
  report.sets.push_back({{"games", {}}, {}, {}});
  const auto text = to_text(report);
  CHECK(contains(text, "abapa.eg"));
  CHECK(contains(text, "search:12"));
  CHECK(contains(text, "random, twice"));
  CHECK(contains(text, "own games: 0 positions"));
  CHECK_FALSE(contains(text, "nan"));
}

TEST_CASE("a quick grade has stable keys, is the same every time and has a table of its own") {
  training::QuickGradeConfig config;
  config.table_seeds = 7;
  config.positions = 300;
  config.simulations = {1, 8};
  const training::QuickGrader grader(env::preset("abapa"), config);
  const auto grade = [&] { return to_json(grader.grade(mcts::SearchConfig{}, kHash)); };
  const auto json = grade();
  for (const char* key :
       {"positions", "network_lost", "network_unknown", "network_best", "network_seeds",
        "search_1_lost", "search_8_lost", "search_8_best", "search_8_seeds", "brier", "log_score",
        "calibration_error", "margin_error_seeds"}) {
    CAPTURE(key);
    CHECK(json.contains(key));
  }
  CHECK(grade() == json);
  const training::QuickGrader given(env::preset("abapa"), config, small_table("abapa", 7));
  CHECK(to_json(given.grade(mcts::SearchConfig{}, kHash)) == json);
}

TEST_CASE("a search sees more than its network alone") {
  const training::QuickGrader grader(env::preset("awari"), {8, 600, {200}, 1, 1},
                                     small_table("awari"));
  const auto grade =
      grader.grade(mcts::SearchConfig{}, [] { return std::make_unique<nn::UniformEvaluator>(); });
  CHECK(grade.searches[0].lost.high < grade.network.lost.low);
  CHECK(grade.searches[0].best.low > grade.network.best.high);
}

TEST_CASE("a quick grade that cannot be is refused") {
  training::QuickGradeConfig config;
  config.table_seeds = 1;
  CHECK(contains(error_of(ErrorKind::kUsage, [&] { config.validate(); }), "table_seeds"));
  config.table_seeds = 5;
  auto rules = env::preset("abapa");
  rules.ply_limit = 60;
  const auto refused = error_of(ErrorKind::kUsage, [&] { training::QuickGrader(rules, config); });
  CHECK(contains(refused, "positions that a table can judge"));
}

}  // namespace
}  // namespace awale::test
