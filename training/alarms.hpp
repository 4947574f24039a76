// Signs that a run goes wrong: a policy that has collapsed, a value head that says the same of
// every position, an agent that has got worse by the truth. Each is a line on stderr that begins
// with "warning:" and a name in the list "alarms" of metrics.jsonl or grades.jsonl. None ends a
// run.
//
// What an alarm is compared with is read back from these files, so a resumed run goes on.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "training/config.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct Alarm {
  std::string name;  // in the files
  std::string text;  // for people, after "warning: "
};

// What the newest games say of the network and the search that played them.
class GameSignals {
 public:
  void add(const GameRecord& game);

  std::uint64_t plies() const { return targets_; }  // that have a policy target
  double policy_entropy() const;                    // nats: mean over the policy targets
  double value_spread() const;  // standard deviation of the network's root values, in [-1,1]

 private:
  std::uint64_t targets_ = 0;
  double entropy_ = 0;
  std::uint64_t values_ = 0;
  double value_ = 0;
  double value_squared_ = 0;
};

// Of the policy and the value, once an iteration. One thread at a time.
class GameAlarms {
 public:
  // Goes on after the lines of `metrics`.
  GameAlarms(const AlarmConfig& config, const std::filesystem::path& metrics);

  void add(const GameRecord& game) { newest_.add(game); }

  // How many of the newest games that `metrics` counted no look has seen yet: to be added again.
  std::uint64_t unseen_games() const { return unseen_games_; }

  // Looks at the games since the last look, if they are enough, after `steps` of the learner.
  // Returns what metrics.jsonl keeps: policy_entropy, value_spread (null where there were too few
  // games) and alarms. Warns of an alarm when it begins.
  nlohmann::ordered_json look(std::uint64_t steps);

 private:
  std::vector<Alarm> alarms(std::uint64_t steps) const;
  double usual_entropy() const;

  AlarmConfig config_;
  GameSignals newest_;
  std::uint64_t unseen_games_ = 0;
  std::deque<double> entropies_;  // of the last looks
  std::set<std::string> on_;      // names
};

// Of the grades against the truth. One thread at a time.
class GradeAlarms {
 public:
  // Goes on after the lines of `grades`.
  GradeAlarms(const AlarmConfig& config, const std::filesystem::path& grades);

  // Adds the list "alarms" to a grade (checkpoint_grader.hpp) and warns of each.
  void look(nlohmann::ordered_json& grade);

 private:
  std::vector<Alarm> alarms(const nlohmann::ordered_json& grade) const;
  void remember(const nlohmann::ordered_json& grade);

  AlarmConfig config_;
  std::unordered_map<std::string, double> best_;  // of each share of results lost, the lowest
};

}  // namespace awale::training
