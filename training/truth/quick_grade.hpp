// A grade in a second or less, for whoever wants one after every checkpoint.
//
//   const QuickGrader grader(rules, {});            // once: builds a table of 12 seeds
//   metrics["truth"] = to_json(grader.grade(search, [&] { return network->make(); }));
//
// The table is small and lives in memory alone: 12 seeds take half a second to build, so nothing is
// cached in files that could be out of date. The positions are the fixed set of that table, so the
// grades of one run, and of runs under the same rules, are comparable number by number.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "env/endgame/table.hpp"
#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "training/truth/answers.hpp"
#include "training/truth/head_grade.hpp"
#include "training/truth/move_grade.hpp"
#include "training/truth/positions.hpp"

namespace awale::training {

struct QuickGradeConfig {
  int table_seeds = 12;  // K of the table that is built
  int positions = 2000;  // about, fixed_positions()
  std::vector<int> simulations = {1, 64};
  std::uint64_t seed = 1;  // of the fixed set
  int build_threads = 1;

  // Throws InputError(kUsage) naming the field.
  void validate() const;
};

struct QuickGrade {
  int positions = 0;
  MoveGrade network;  // the largest prior
  std::vector<int> simulations;
  std::vector<MoveGrade> searches;  // one for each of `simulations`
  HeadGrade head;
};

// Keys, which stay: positions; at_stake, those of them that lost and unknown are shares of;
// network_, search_N_ (N simulations) before each of lost, unknown, best (shares, 0..1) and seeds
// (given away a move); brier, log_score, calibration_error, margin_error_seeds. All numbers, null
// where there is nothing to tell it from.
nlohmann::ordered_json to_json(const QuickGrade& grade);

// A table of up to `seeds` seeds in memory alone: built in the system's directory for temporary
// files, and removed from there at once. Throws InputError as build_endgame_table().
env::EndgameTable build_table_in_memory(const env::RuleSet& rules, int seeds, int threads);

// grade() may be called from several threads at a time; each call computes on its own thread.
class QuickGrader {
 public:
  // Builds its own table. Throws InputError: kUsage for a config that is not valid or rules whose
  // games are over at kGradedPly, and as build_table_in_memory().
  QuickGrader(const env::RuleSet& rules, const QuickGradeConfig& config);

  // With a given table, which must be for `rules`; config.table_seeds is not looked at.
  QuickGrader(const env::RuleSet& rules, const QuickGradeConfig& config,
              const env::EndgameTable& table);

  // `search` without its noise, at the config's simulations. 2000 positions, 1 and 64 simulations:
  // 130 thousand simulations.
  QuickGrade grade(const mcts::SearchConfig& search, const EvaluatorFactory& make) const;

  const PositionSet& set() const { return set_; }

 private:
  env::RuleSet rules_;
  QuickGradeConfig config_;
  PositionSet set_;
};

}  // namespace awale::training
