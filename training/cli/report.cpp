#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"
#include "training/cli/endgame.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/format_text.hpp"
#include "training/progress.hpp"
#include "training/report/logged_games.hpp"
#include "training/report/report_file.hpp"
#include "training/report/run_data.hpp"
#include "training/version.hpp"
#include "training/web_pages.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

struct ReportOptions {
  std::vector<std::string> paths;
  std::string out = "report.html";
  std::string table;
  LoggedGamesConfig games;
  env::RuleSet rules;
};

std::string now_text() {
  const std::time_t now = std::time(nullptr);
  std::tm utc = {};
  gmtime_r(&now, &utc);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

// The folder's name; of runs that have the same one the path.
std::vector<std::string> names_of(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::multiset<std::string> all;
  for (const auto& path : paths) {
    const fs::path absolute = fs::absolute(path).lexically_normal();
    names.push_back((absolute.has_filename() ? absolute : absolute.parent_path()).filename());
    all.insert(names.back());
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (all.count(names[i]) > 1) names[i] = paths[i];
  }
  return names;
}

void append(Json& list, const Json& more) {
  list.insert(list.end(), more.begin(), more.end());
}

// A report may replace an older one, but nothing that it is made of.
void check_out(const ReportOptions& options) {
  require_other_file("--out", options.out, options.table);
  for (const fs::path path : options.paths) {
    require_other_file("--out", options.out, path);
    for (const char* name :
         {"config.toml", "metrics.jsonl", "grades.jsonl", "evaluation.json", "summary.json"})
      require_other_file("--out", options.out, path / name);
  }
}

void tell_what_is_missing(const fs::path& path, const Json& run) {
  if (run["iterations"] == 0) {
    std::fprintf(stderr, "awale: note: %s: no iterations in metrics.jsonl\n", path.c_str());
  }
  if (const auto skipped = run["skipped_lines"].get<std::size_t>(); skipped > 0) {
    std::fprintf(stderr,
                 "awale: note: %s: %s of metrics.jsonl and grades.jsonl left out, damaged\n",
                 path.c_str(), count_text(skipped, "line").c_str());
  }
  for (const auto& problem : run["damaged_files"]) {
    std::fprintf(stderr, "awale: note: left out: %s\n", problem.get<std::string>().c_str());
  }
}

void run_report(ReportOptions options, bool rules_chosen) {
  check_out(options);
  nn::require_replaceable(options.out);
  std::optional<env::EndgameTable> table;
  if (!options.table.empty()) table = env::EndgameTable::open(options.table);
  options.games.table = table ? &*table : nullptr;
  const auto rules = rules_chosen ? std::optional(options.rules) : std::nullopt;
  auto runs = Json::array();
  auto games = Json::array();
  const auto names = names_of(options.paths);
  Progress progress("report", "sources", options.paths.size());
  for (std::size_t i = 0; i < options.paths.size(); ++i) {
    const fs::path path = options.paths[i];
    if (fs::is_directory(path)) {
      runs.push_back(run_data(path, names[i]));
      tell_what_is_missing(path, runs.back());
      append(games, games_of_run(path, names[i], options.games));
    } else {
      append(games, games_of_file(path, rules, options.games));
    }
    progress.advance(1);
  }
  const Json data = {{"version", kVersion},
                     {"git_revision", kGitRevision},
                     {"created", now_text()},
                     {"runs", runs},
                     {"games", games}};
  const std::string html = report_html(report_page(), data);
  nn::write_file_atomically(options.out, html);
  std::printf("%s: %s, %s, %.1f MB; open it in a browser\n", options.out.c_str(),
              count_text(runs.size(), "run").c_str(), count_text(games.size(), "game").c_str(),
              static_cast<double>(html.size()) / 1e6);
}

}  // namespace

void add_report(CLI::App& app) {
  auto options = std::make_shared<ReportOptions>();
  CLI::App* report = app.add_subcommand(
      "report", "Runs and games as one page to look at: curves, grades, games to step through.");
  report
      ->add_option("PATH", options->paths, "folders of runs, and files of games (.h5, .ogn, .txt)")
      ->required()
      ->check(check_not_empty);
  add_field(*report, "--out", options->out, "the page: an HTML file that needs no other")
      ->check(check_not_empty)
      ->type_name("FILE");
  add_field(*report, "--games", options->games.most,
            "games to step through of each run's newest shard and of each file, evenly spread")
      ->check(in_range<std::size_t>(0, 1000));
  add_optional_table(*report, options->table,
                     ": marks where in the games a result was lost that had been certain");
  add_rules(*report, options->rules);
  report->footer(
      "Lengths, openings and calibration are counted in a run's newest shards, 10,000 games or a\n"
      "few more. Runs may still be training. The rules are those of games in .txt files.\n"
      "\n"
      "Examples:\n"
      "  awale report runs/quickstart\n"
      "  awale report runs/a runs/b --table abapa-15.eg --out ab.html\n"
      "  awale report games.ogn --out games.html");
  report->callback([options, report] { run_report(*options, rules_given(*report)); });
}

}  // namespace awale::training
