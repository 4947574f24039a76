#include "training/report/run_data.hpp"

#include <fstream>
#include <map>
#include <sstream>

#include "env/error.hpp"
#include "training/data/data_files.hpp"
#include "training/data/data_statistics.hpp"
#include "training/report/metrics_series.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Null if there is no such file.
Json object_of(const fs::path& file) {
  if (!fs::exists(file)) return nullptr;
  Json json = Json::parse(text_of(file), nullptr, /*allow_exceptions=*/false);
  if (json.is_discarded()) throw InputError(ErrorKind::kFile, file.string() + ": no JSON");
  return json;
}

// Games and seconds that a run had counted when an iteration ended.
struct RunCounts {
  double games = 0;
  double seconds = 0;
};

// By iteration, from all lines: a grade is of an iteration that the series may have merged.
std::map<std::int64_t, RunCounts> counts_of(const fs::path& metrics) {
  std::map<std::int64_t, RunCounts> counts;
  std::ifstream stream(metrics);
  for (std::string text; std::getline(stream, text);) {
    const Json line = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!line.is_object() || !line.contains("iteration")) continue;
    counts[line["iteration"]] = {line.value("total_games", 0.0), line.value("run_seconds", 0.0)};
  }
  return counts;
}

Json grades_of(const fs::path& directory) {
  const auto counts = counts_of(directory / "metrics.jsonl");
  auto grades = Json::array();
  std::ifstream stream(directory / "grades.jsonl");
  for (std::string text; std::getline(stream, text);) {
    Json grade = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!grade.is_object() || !grade.contains("matches")) continue;
    const auto found = counts.find(grade.value("iteration", std::int64_t{0}));
    const RunCounts count = found == counts.end() ? RunCounts() : found->second;
    grade["total_games"] = count.games;
    grade["run_seconds"] = count.seconds;
    grades.push_back(std::move(grade));
  }
  return grades;
}

// Of the newest shards; null without any.
Json statistics_of(const fs::path& directory) {
  DataStatistics statistics;
  const auto shards = find_data(directory).shards;
  for (auto file = shards.rbegin(); file != shards.rend(); ++file) {
    if (statistics.games() >= kReportStatisticsGames) break;
    statistics.add_shard(*file);
  }
  return statistics.games() == 0 ? Json() : statistics.to_json();
}

}  // namespace

Json run_data(const fs::path& directory, const std::string& name) {
  if (!fs::exists(directory / "config.toml")) {
    throw InputError(ErrorKind::kFile, directory.string() +
                                           ": no run (config.toml is missing); expected the folder "
                                           "of a run, or a file of games (.h5, .ogn, .txt)");
  }
  const auto series = read_metrics_series(directory / "metrics.jsonl");
  const Json summary = object_of(directory / "summary.json");
  return {{"name", name},
          {"path", directory.string()},
          {"config", text_of(directory / "config.toml")},
          {"complete", !summary.is_null()},
          {"iterations", series.iterations},
          {"merged", series.merged},
          {"series", series.columns},
          {"alarms", series.alarms},
          {"grades", grades_of(directory)},
          {"evaluation", object_of(directory / "evaluation.json")},
          {"summary", summary},
          {"data", statistics_of(directory)}};
}

}  // namespace awale::training
