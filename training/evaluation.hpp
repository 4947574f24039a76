// Grading: an agent against a list of opponents, the trained one beside the untrained one.
#pragma once

#include <filesystem>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
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
// openings. Progress on stderr. Nothing if `stop`, which is asked now and then, ended it. Throws
// what players and checkpoints throw.
std::optional<std::vector<Grade>> grade(const TrainingConfig& config,
                                        const std::filesystem::path& before,
                                        const std::filesystem::path& after,
                                        const std::function<bool()>& stop);

nlohmann::ordered_json to_json(const std::vector<Grade>& grades);

// A table: points and their interval before and after, a line an opponent.
std::string to_table(const std::vector<Grade>& grades);

}  // namespace awale::training
