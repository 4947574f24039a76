// Grading: an agent against a list of opponents, the trained one beside the untrained one.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "training/config.hpp"
#include "training/match_report.hpp"

namespace awale::training {

struct Grade {
  std::string opponent;
  MatchReport before;  // the untrained agent
  MatchReport after;
};

// Plays config.evaluation.games games of each checkpoint against each opponent, all from the same
// openings. Progress on stderr. Throws what players and checkpoints throw.
std::vector<Grade> grade(const TrainingConfig& config, const std::filesystem::path& before,
                         const std::filesystem::path& after);

nlohmann::ordered_json to_json(const std::vector<Grade>& grades);

// A table: points and their interval before and after, a line an opponent.
std::string to_table(const std::vector<Grade>& grades);

}  // namespace awale::training
