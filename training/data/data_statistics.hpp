// What games look like as data to learn from: lengths, endings, openings, who wins, repeated games,
// what the search adds to the network, how well values foretell outcomes, and how all that changes
// over a run.
//
// Games come one by one and are not kept: about 100 bytes stay of each distinct game and of each
// distinct opening.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "env/rules.hpp"
#include "training/data/histogram.hpp"
#include "training/data/value_calibration.hpp"
#include "training/game_statistics.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

// Natural logarithms (nats). Not a number where a distribution is all 0.
double entropy(const std::array<std::uint16_t, env::kMoves>& shares);
// KL(policy || prior): what the search has added, the surprise of a row.
double surprise(const PlyRecord& ply);

class DataStatistics {
 public:
  // `rules` is the game's own.
  void add(const GameRecord& game, const env::RuleSet& rules);
  // All games of a shard. Rule sets are numbered through all shards, so that equal moves by other
  // rules are other games. Throws InputError as read_shard().
  void add_shard(const std::filesystem::path& file);

  std::uint64_t games() const { return total_.games.games(); }
  nlohmann::ordered_json to_json() const;

 private:
  static constexpr int kOpeningPlies = 6;

  // What is also shown over the iterations.
  struct Part {
    GameStatistics games;
    std::uint64_t draws = 0;
    Histogram surprise{0.001};
    Histogram policy_entropy{0.001};
    Calibration root_value;
  };

  void add_opening(const GameRecord& game, const env::RuleSet& rules);
  static void add_to(Part& part, const GameRecord& game);
  void add_ply(const PlyRecord& ply, double outcome);
  nlohmann::ordered_json openings_json() const;
  nlohmann::ordered_json iterations_json() const;

  std::vector<env::RuleSet> rules_;  // of the shards
  std::uint64_t files_ = 0;
  std::uint64_t bytes_ = 0;
  Part total_;
  std::map<std::uint32_t, Part> by_iteration_;  // by the last ply's
  std::map<std::string, std::uint64_t> by_rules_;
  Histogram length_{1};
  Histogram margin_{1};        // |final margin|
  Histogram first_margin_{1};  // the first player's, plus kSeeds
  Histogram prior_entropy_{0.001};
  Calibration network_value_;
  std::uint64_t same_best_ = 0;  // largest prior and largest policy are the same move
  std::uint64_t compared_ = 0;
  std::map<std::string, std::uint64_t> flags_;
  std::unordered_map<std::string, std::uint64_t> openings_;  // position and rules
};

// A screen of it, for people.
std::string statistics_text(const nlohmann::ordered_json& statistics);

}  // namespace awale::training
