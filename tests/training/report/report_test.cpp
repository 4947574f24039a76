// What a report is made of: columns from metrics.jsonl, data in a page, games with what is known of
// them.
#include <fstream>

#include "env/error.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/temp_dir.hpp"
#include "tests/training/random_games.hpp"
#include "tests/training/truth/tables.hpp"
#include "training/report/json_lines.hpp"
#include "training/report/logged_games.hpp"
#include "training/report/metrics_series.hpp"
#include "training/report/report_file.hpp"
#include "training/report/run_data.hpp"
#include "training/trajectory_log.hpp"
#include "training/truth/judge.hpp"
#include "training/web_pages.hpp"

namespace awale::test {
namespace {

using Json = nlohmann::ordered_json;
using tests::TempDir;
namespace fs = std::filesystem;

void write(const fs::path& path, const std::string& text) {
  std::ofstream(path) << text;
}

// Lines of `count` iterations; the loss is not known in the first.
std::string metrics_text(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i) {
    const Json line = {{"iteration", i},
                       {"total_games", 10 * i},
                       {"seconds", i % 2},
                       {"loss", i > 1 ? Json(1.0 / i) : Json()},
                       {"finished", {{"games", i}, {"endings", {{"target", 2 * i}}}}},
                       {"alarms", i == 3 || i == 4 ? Json({"entropy"}) : Json::array()}};
    text += line.dump() + "\n";
  }
  return text;
}

training::MetricsSeries read_series(const fs::path& file) {
  return training::metrics_series(training::read_json_lines(file).lines);
}

TEST_CASE("a short run's series are its lines") {
  const TempDir dir;
  write(dir.path() / "metrics.jsonl", metrics_text(5) + "{\"iteration\": 6, \"tot");
  const auto series = read_series(dir.path() / "metrics.jsonl");
  CHECK(series.iterations == 5);
  CHECK(series.merged == 1);
  CHECK(series.columns["iteration"] == Json({1, 2, 3, 4, 5}));
  CHECK(series.columns["finished/endings/target"] == Json({2, 4, 6, 8, 10}));
  CHECK(series.columns["loss"] == Json({nullptr, 0.5, 1.0 / 3, 0.25, 0.2}));
  CHECK(series.alarms == Json::array({{{"iteration", 3}, {"names", {"entropy"}}}}));
}

TEST_CASE("a long run's points are means of lines, but counters of the run are their last") {
  const TempDir dir;
  write(dir.path() / "metrics.jsonl", metrics_text(2501));
  const auto series = read_series(dir.path() / "metrics.jsonl");
  CHECK(series.merged == 3);
  CHECK(series.columns["iteration"].size() == 834);  // the last of two lines
  CHECK(series.columns["iteration"][0] == 3);
  CHECK(series.columns["iteration"][833] == 2501);
  CHECK(series.columns["total_games"][1] == 60);
  CHECK(series.columns["seconds"][0].get<double>() == Approx(2.0 / 3));
  CHECK(series.columns["loss"][0].get<double>() == Approx((1.0 / 2 + 1.0 / 3) / 2));
  for (const auto& [name, column] : series.columns.items())
    CHECK(column.size() == 834);
}

TEST_CASE("a run that has just begun has a report, a folder that is no run has none") {
  const TempDir dir;
  CHECK(contains(error_of(ErrorKind::kFile, [&] { training::run_data(dir.path(), "r"); }),
                 "config.toml is missing"));
  write(dir.path() / "config.toml", "[run]\n");
  const Json run = training::run_data(dir.path(), "r");
  CHECK(run["iterations"] == 0);
  CHECK(run["complete"] == false);
  for (const char* key : {"evaluation", "summary", "data"})
    CHECK(run[key].is_null());
}

TEST_CASE("damaged files are left out and named, the newest sound shard is shown") {
  const TempDir dir;
  write(dir.path() / "config.toml", "");
  write(dir.path() / "summary.json", "{\"games\"");
  fs::create_directory(dir.path() / "shards");
  const auto games = tests::random_games({}, 3);
  write_shard(dir.path() / "shards" / "000001.h5", {{env::RuleSet{}}, 1, "", 1, ""}, games);
  write(dir.path() / "shards" / "000002.h5", "cut short");
  const Json run = training::run_data(dir.path(), "r");
  CHECK(run["data"]["games"] == 3);
  CHECK(run["summary"].is_null());
  REQUIRE(run["damaged_files"].size() == 2);
  CHECK(contains(run["damaged_files"][0], "summary.json"));
  CHECK(contains(run["damaged_files"][1], "000002.h5"));
  CHECK(training::games_of_run(dir.path(), "r", {3, nullptr}).size() == 3);
}

TEST_CASE("grades know the games and the time of their iteration") {
  const TempDir dir;
  write(dir.path() / "config.toml", "");
  write(dir.path() / "metrics.jsonl", metrics_text(5));
  write(dir.path() / "grades.jsonl", R"({"iteration":4,"matches":[]})"
                                     "\n{\"iteration\":5,\"error\":\"x\"}\n");
  const Json grades = training::run_data(dir.path(), "r")["grades"];
  REQUIRE(grades.size() == 1);
  CHECK(grades[0]["total_games"] == 40);
}

TEST_CASE("lines that are damaged are counted and left out, numbers that are none are 0") {
  const TempDir dir;
  write(dir.path() / "config.toml", "");
  write(dir.path() / "metrics.jsonl",
        "{\"iteration\":1,\"total_games\":\"x\",\"alarms\":7}\n{\"iteration\":\"2\"}\n[3]\n\xff\n{"
        "\"iter");
  write(dir.path() / "grades.jsonl", R"({"iteration":1,"matches":[]}
{"iteration":2,"matches":"x"}
{"iteration":3,"matches":[{"opponent":4}]}
{"iteration":4,"truth":[]}
)");
  const Json run = training::run_data(dir.path(), "r");
  CHECK(run["iterations"] == 1);
  CHECK(run["skipped_lines"] == 7);
  CHECK(run["grades"][0]["total_games"] == 0);
}

TEST_CASE("a run's data are counted in its newest shards") {
  const TempDir dir;
  write(dir.path() / "config.toml", "");
  fs::create_directory(dir.path() / "shards");
  const auto games = tests::random_games({}, 12);
  write_shard(dir.path() / "shards" / "000002.h5", {{env::RuleSet{}}, 1, "", 2, ""}, games);
  CHECK(training::run_data(dir.path(), "r")["data"]["games"] == 12);
}

TEST_CASE("data stand in the page as they were, whatever texts they hold") {
  const Json data = {{"text", "</script><script>alert(1)</script> <!-- é"}, {"number", 0.1}};
  const std::string html = training::report_html(training::report_page(), data);
  const std::string mark = "<script id=\"awale-data\" type=\"application/json\">";
  const auto begin = html.find(mark) + mark.size();
  const auto end = html.find("</script>", begin);
  CHECK(Json::parse(html.substr(begin, end - begin)) == data);
  CHECK(html.find("alert(1)</script>") == std::string::npos);
}

TEST_CASE("games of a shard come with their searches, evenly spread") {
  const TempDir dir;
  const auto file = dir.path() / "000001.h5";
  const auto games = tests::random_games({}, 12);
  write_shard(file, {{env::RuleSet{}}, 1, "", 1, ""}, games);
  const Json found = training::games_of_file(file, std::nullopt, {4, nullptr});
  REQUIRE(found.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& record = games[3 * i];
    REQUIRE(found[i]["searches"].size() == record.plies.size());
    CHECK(found[i]["game"]["plies"].size() == record.plies.size());
    for (std::size_t ply = 0; ply < record.plies.size(); ++ply) {
      const Json& search = found[i]["searches"][ply];
      const auto& recorded = record.plies[ply];
      REQUIRE(search.is_null() == ((recorded.flags & training::kUnsearchedPly) != 0));
      if (search.is_null()) continue;
      for (std::size_t move = 0; move < env::kMoves; ++move) {
        const bool legal = (recorded.legal >> move & 1) != 0;
        CHECK(search["visits"][move] == (legal ? Json(recorded.visits[move]) : Json()));
      }
      CHECK(search["value"] == recorded.root_value);
    }
  }
}

TEST_CASE("the table marks the plies that lose what was certain") {
  const TempDir dir;
  const auto file = dir.path() / "000001.h5";
  const auto games = tests::random_games({}, 40);
  write_shard(file, {{env::RuleSet{}}, 1, "", 1, ""}, games);
  const env::EndgameTable& table = small_table("abapa", 8);
  const Json found = training::games_of_file(file, std::nullopt, {40, &table});
  int lost = 0;
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto& plies = games[i].plies;
    REQUIRE(found[i]["oracle"].size() == plies.size());
    for (std::size_t ply = 0; ply < plies.size(); ++ply) {
      const Json& said = found[i]["oracle"][ply];
      const auto truth = training::judge(table, {}, plies[ply].position.board);
      REQUIRE(said.is_null() == !truth.has_value());
      if (!truth) continue;
      const env::Move move = plies[ply].move;
      CHECK(said["before"] == Json({truth->at_end.low, truth->at_end.high}));
      CHECK(said["after"] == Json({truth->moves[move].at_end.low, truth->moves[move].at_end.high}));
      const bool worse = training::result_change(*truth, move) == training::ResultChange::kLost;
      CHECK(said["lost"] == worse);
      lost += worse ? 1 : 0;
    }
  }
  CHECK(lost > 0);  // random moves do
  const Json unknown = training::games_of_file(file, std::nullopt, {1, nullptr});
  CHECK(unknown[0]["oracle"][0].is_null());
}

TEST_CASE("a file that is none of games is refused by what is read") {
  CHECK(contains(
      error_of(ErrorKind::kFile, [] { training::games_of_file("x.pdf", std::nullopt, {}); }),
      ".h5, .ogn, .txt"));
}

}  // namespace
}  // namespace awale::test
