#include "training/truth/quick_grade.hpp"

#include <stdlib.h>  // mkdtemp

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "env/endgame/builder.hpp"
#include "env/error.hpp"

namespace awale::training {
namespace {

void require(bool valid, const std::string& field, const std::string& expected, int found) {
  if (valid) return;
  throw InputError(ErrorKind::kUsage,
                   field + ": expected " + expected + ", found " + std::to_string(found));
}

// Removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "awale-table-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      throw InputError(ErrorKind::kWrite,
                       name + ": cannot make the folder: " + std::strerror(errno));
    }
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

void add_moves(const std::string& player, const MoveGrade& grade, nlohmann::ordered_json& json) {
  json[player + "_lost"] = grade.lost.value;
  json[player + "_unknown"] = grade.unknown.value;
  json[player + "_best"] = grade.best.value;
  json[player + "_seeds"] = grade.seeds.value;
}

const QuickGradeConfig& valid(const QuickGradeConfig& config) {
  config.validate();
  return config;
}

}  // namespace

void QuickGradeConfig::validate() const {
  require(table_seeds >= 2 && table_seeds <= 20, "quick grade: table_seeds", "2..20", table_seeds);
  require(positions >= 1 && positions <= 1'000'000, "quick grade: positions", "1..1000000",
          positions);
  require(build_threads >= 1, "quick grade: build_threads", "1 or more", build_threads);
  mcts::SearchConfig search;
  for (const int number : simulations) {
    search.simulations = number;
    search.validate();
  }
}

nlohmann::ordered_json to_json(const QuickGrade& grade) {
  nlohmann::ordered_json json = {{"positions", grade.positions},
                                 {"at_stake", grade.network.lost.n}};
  add_moves("network", grade.network, json);
  for (std::size_t i = 0; i < grade.searches.size(); ++i)
    add_moves("search_" + std::to_string(grade.simulations[i]), grade.searches[i], json);
  json["brier"] = grade.head.brier.value;
  json["log_score"] = grade.head.log_score.value;
  json["calibration_error"] = grade.head.calibration_error;
  json["margin_error_seeds"] = grade.head.margin_error.value;
  return json;
}

env::EndgameTable build_table_in_memory(const env::RuleSet& rules, int seeds, int threads) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "table";
  env::EndgameBuildConfig config;
  config.rules = rules;
  config.seeds = seeds;
  config.threads = threads;
  env::build_endgame_table(
      config, path,
      {[](int) {}, [](std::uint64_t) {}, [](const env::LayerBuilt&) {}, [] { return false; }});
  return env::EndgameTable::open(path);
}

QuickGrader::QuickGrader(const env::RuleSet& rules, const QuickGradeConfig& config)
    : QuickGrader(rules, config,
                  build_table_in_memory(rules, valid(config).table_seeds, config.build_threads)) {}

QuickGrader::QuickGrader(const env::RuleSet& rules, const QuickGradeConfig& config,
                         const env::EndgameTable& table)
    : rules_(rules),
      config_(valid(config)),
      set_(fixed_positions(table, rules, config.positions, config.seed)) {
  if (!set_.positions.empty()) return;
  throw InputError(ErrorKind::kUsage,
                   "quick grade: expected rules with positions that a table can "
                   "judge, found " +
                       env::describe(rules));
}

QuickGrade QuickGrader::grade(const mcts::SearchConfig& search,
                              const EvaluatorFactory& make) const {
  const Asking asking{rules_};
  const auto evaluations = ask_network(asking, make, set_.positions);
  std::vector<env::Move> moves;
  for (std::size_t i = 0; i < evaluations.size(); ++i)
    moves.push_back(prior_move(evaluations[i], set_.positions[i].truth.legal));
  QuickGrade grade;
  grade.positions = static_cast<int>(set_.positions.size());
  grade.network = grade_moves(set_.positions, moves);
  grade.head = grade_head(set_.positions, evaluations);
  mcts::SearchConfig config = search;
  for (const int simulations : config_.simulations) {
    config.simulations = simulations;
    grade.simulations.push_back(simulations);
    grade.searches.push_back(
        grade_moves(set_.positions, ask_search(asking, config, make, set_.positions)));
  }
  return grade;
}

}  // namespace awale::training
