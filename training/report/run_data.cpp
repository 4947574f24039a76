#include "training/report/run_data.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <span>
#include <sstream>
#include <utility>

#include "env/error.hpp"
#include "training/data/data_files.hpp"
#include "training/data/data_statistics.hpp"
#include "training/report/json_lines.hpp"
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

// What is wrong with each damaged file, which is left out.
using Damaged = std::vector<std::string>;

// Null if there is no such file.
Json object_of(const fs::path& file, Damaged& damaged) {
  if (!fs::exists(file)) return nullptr;
  Json json = Json::parse(text_of(file), nullptr, /*allow_exceptions=*/false);
  if (!json.is_discarded()) return json;
  damaged.push_back("'" + file.string() + "': no JSON");
  return nullptr;
}

bool is_match(const Json& match) {
  return match.is_object() && match.contains("opponent") && match["opponent"].is_string() &&
         match.contains("points_percent") && match["points_percent"].is_number();
}

// Whether a line of grades.jsonl is what the page expects.
bool is_grade(const Json& line) {
  if (line.contains("truth") && !line["truth"].is_object()) return false;
  if (!line.contains("matches")) return true;  // it failed
  const Json& matches = line["matches"];
  return matches.is_array() && std::all_of(matches.begin(), matches.end(), is_match);
}

JsonLines read_grades(const fs::path& file) {
  JsonLines grades = read_json_lines(file);
  grades.skipped += std::erase_if(grades.lines, [](const Json& line) { return !is_grade(line); });
  return grades;
}

// The lines of grades.jsonl, with the games and seconds that the run had counted when the iteration
// ended. All lines of the metrics are looked at: a grade is of an iteration that the series may
// have merged.
Json grades_of(std::span<const Json> grades, std::span<const Json> metrics) {
  std::map<std::int64_t, const Json*> by_iteration;
  for (const Json& line : metrics)
    by_iteration[line["iteration"]] = &line;
  auto list = Json::array();
  for (Json grade : grades) {
    if (!grade.contains("matches")) continue;
    const auto found = by_iteration.find(grade["iteration"]);
    const Json line = found == by_iteration.end() ? Json::object() : *found->second;
    grade["total_games"] = number_of(line, "total_games");
    grade["run_seconds"] = number_of(line, "run_seconds");
    list.push_back(std::move(grade));
  }
  return list;
}

// Of the newest shards; null without any.
Json statistics_of(const fs::path& directory, Damaged& damaged) {
  DataStatistics statistics;
  const auto shards = find_data(directory).shards;
  for (auto file = shards.rbegin(); file != shards.rend(); ++file) {
    if (statistics.games() >= kReportStatisticsGames) break;
    try {
      statistics.add_shard(*file);
    } catch (const InputError& error) {
      if (error.kind() != ErrorKind::kFile) throw;
      damaged.emplace_back(error.what());
    }
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
  const auto metrics = read_json_lines(directory / "metrics.jsonl");
  const auto grades = read_grades(directory / "grades.jsonl");
  const auto series = metrics_series(metrics.lines);
  Damaged damaged;
  const Json summary = object_of(directory / "summary.json", damaged);
  const Json evaluation = object_of(directory / "evaluation.json", damaged);
  const Json statistics = statistics_of(directory, damaged);
  return {{"name", name},
          {"path", directory.string()},
          {"config", text_of(directory / "config.toml")},
          {"complete", !summary.is_null()},
          {"iterations", series.iterations},
          {"merged", series.merged},
          {"skipped_lines", metrics.skipped + grades.skipped},
          {"damaged_files", damaged},
          {"series", series.columns},
          {"alarms", series.alarms},
          {"grades", grades_of(grades.lines, metrics.lines)},
          {"evaluation", evaluation},
          {"summary", summary},
          {"data", statistics}};
}

}  // namespace awale::training
