// What games look like as data to learn from: lengths, endings, openings, who wins, repeated games,
// what the search adds to the network, how well values foretell outcomes, and how all that changes
// over a run.
//
// Games come one by one and are not kept: about 100 bytes stay of each distinct game and of each
// distinct opening.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "env/rules.hpp"
#include "training/game_statistics.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

// Numbers from 0 on, counted in bins of `width`; quantiles are a bin's lower end.
class Histogram {
 public:
  explicit Histogram(double width) : width_(width) {}
  void add(double value);
  std::uint64_t count() const { return count_; }
  double mean() const;
  // The smallest bin with a share of at least `share` in it and below.
  double quantile(double share) const;

 private:
  double width_;
  std::map<std::int64_t, std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

// Values in [-1,1] against outcomes (-1, 0, 1) of the player to move, in ten bins.
class Calibration {
 public:
  static constexpr std::size_t kBins = 10;
  void add(double value, double outcome);
  std::uint64_t count() const;
  double mean_squared_error() const;
  // Mean |mean value - mean outcome| over the bins, weighted by what is in them.
  double expected_error() const;
  // [{low, high, n, mean_value, mean_outcome}, ...], bins with nothing in them left out.
  nlohmann::ordered_json to_json() const;

 private:
  struct Bin {
    std::uint64_t count = 0;
    double value = 0;
    double outcome = 0;
  };
  std::array<Bin, kBins> bins_ = {};
  double squared_error_ = 0;
};

// Natural logarithms (nats). Not a number where a distribution is all 0.
double entropy(const std::array<std::uint16_t, env::kMoves>& shares);
// KL(policy || prior): what the search has added, the surprise of a row.
double surprise(const PlyRecord& ply);

class DataStatistics {
 public:
  // `rules` is the game's own.
  void add(const GameRecord& game, const env::RuleSet& rules);
  void add_file(std::uint64_t bytes);

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
