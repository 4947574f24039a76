#include "training/alarms.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "training/format_text.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

// Fewer plies say little: the mean entropy of 1000 plies has a standard error below 0.02 nats.
constexpr std::uint64_t kFewestPlies = 1000;

// What an entropy is compared with: the mean of the looks before, so many at most and at least.
constexpr std::size_t kMostLooks = 10;
constexpr std::size_t kFewestLooks = 3;

double entropy_of(const PlyRecord& ply, double sum) {
  double entropy = 0;
  for (const auto units : ply.policy) {
    const double share = units / sum;
    if (share > 0) entropy -= share * std::log(share);
  }
  return entropy;
}

void warn(const Alarm& alarm) {
  std::fprintf(stderr, "warning: %s\n", alarm.text.c_str());
}

Json names_of(const std::vector<Alarm>& alarms) {
  Json names = Json::array();
  for (const auto& alarm : alarms)
    names.push_back(alarm.name);
  return names;
}

template <typename Visit>
void for_each_line(const std::filesystem::path& file, const Visit& visit) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto object = Json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (object.is_object()) visit(object);
  }
}

bool is_share_lost(const std::string& key, const Json& value) {
  return key.ends_with("_lost") && value.is_number();
}

}  // namespace

void GameSignals::add(const GameRecord& game) {
  for (const auto& ply : game.plies) {
    if ((ply.flags & kUnsearchedPly) != 0) continue;
    const double value = ply.network_value;
    ++values_;
    value_ += value;
    value_squared_ += value * value;
    const double sum = std::accumulate(ply.policy.begin(), ply.policy.end(), 0.0);
    if (sum == 0) continue;
    ++targets_;
    entropy_ += entropy_of(ply, sum);
  }
}

double GameSignals::policy_entropy() const {
  return entropy_ / static_cast<double>(targets_);
}

double GameSignals::value_spread() const {
  const auto count = static_cast<double>(values_);
  const double mean = value_ / count;
  return std::sqrt(std::max(0.0, value_squared_ / count - mean * mean));
}

GameAlarms::GameAlarms(const AlarmConfig& config, const std::filesystem::path& metrics)
    : config_(config) {
  for_each_line(metrics, [this](const Json& line) {
    if (!line.contains("policy_entropy")) return;  // of older programs
    if (line.contains("finished")) unseen_games_ += line["finished"].value("games", 0ULL);
    if (!line["policy_entropy"].is_number()) return;
    unseen_games_ = 0;
    entropies_.push_back(line["policy_entropy"].get<double>());
    if (entropies_.size() > kMostLooks) entropies_.pop_front();
    on_ = line.value("alarms", std::set<std::string>());
  });
}

double GameAlarms::usual_entropy() const {
  if (entropies_.size() < kFewestLooks) return 0;
  return std::accumulate(entropies_.begin(), entropies_.end(), 0.0) /
         static_cast<double>(entropies_.size());
}

std::vector<Alarm> GameAlarms::alarms(std::uint64_t steps) const {
  std::vector<Alarm> found;
  const double entropy = newest_.policy_entropy();
  const double usual = usual_entropy();
  if (entropy < config_.least_entropy) {
    found.push_back({"policy_entropy",
                     format_text("the policy has collapsed: entropy %.4f nats of its targets, "
                                 "expected %g or more (alarms.least_entropy)",
                                 entropy, config_.least_entropy)});
  } else if (entropy < config_.entropy_share * usual) {
    found.push_back({"policy_entropy",
                     format_text("the policy narrows suddenly: entropy %.4f nats of its targets, "
                                 "before %.4f (alarms.entropy_share %g)",
                                 entropy, usual, config_.entropy_share)});
  }
  const bool learned = steps >= static_cast<std::uint64_t>(config_.least_steps);
  const double spread = newest_.value_spread();
  if (learned && spread < config_.least_value_spread) {
    found.push_back(
        {"value_spread", format_text("the network's values hardly differ: standard deviation %.4f, "
                                     "expected %g or more (alarms.least_value_spread)",
                                     spread, config_.least_value_spread)});
  }
  return found;
}

Json GameAlarms::look(std::uint64_t steps) {
  Json result = {{"policy_entropy", nullptr}, {"value_spread", nullptr}, {"alarms", Json::array()}};
  if (newest_.plies() < kFewestPlies) return result;
  const auto found = alarms(steps);
  result["policy_entropy"] = newest_.policy_entropy();
  result["value_spread"] = newest_.value_spread();
  result["alarms"] = names_of(found);
  for (const auto& alarm : found) {
    if (on_.count(alarm.name) == 0) warn(alarm);
  }
  on_ = result["alarms"].get<std::set<std::string>>();
  entropies_.push_back(newest_.policy_entropy());
  if (entropies_.size() > kMostLooks) entropies_.pop_front();
  newest_ = {};
  return result;
}

GradeAlarms::GradeAlarms(const AlarmConfig& config, const std::filesystem::path& grades)
    : config_(config) {
  for_each_line(grades, [this](const Json& grade) { remember(grade); });
}

void GradeAlarms::remember(const Json& grade) {
  if (!grade.contains("truth")) return;
  for (const auto& [key, value] : grade["truth"].items()) {
    if (!is_share_lost(key, value)) continue;
    const auto best = best_.try_emplace(key, value.get<double>()).first;
    best->second = std::min(best->second, value.get<double>());
  }
}

// Both shares are of the same positions, taken for independent: the error is overestimated.
std::vector<Alarm> GradeAlarms::alarms(const Json& grade) const {
  std::vector<Alarm> found;
  const auto& truth = grade["truth"];
  const double at_stake = truth.value("at_stake", 0.0);
  for (const auto& [key, value] : truth.items()) {
    const auto best = best_.find(key);
    if (!is_share_lost(key, value) || best == best_.end() || at_stake == 0) continue;
    const double now = value.get<double>();
    const double before = best->second;
    const double error = std::sqrt((now * (1 - now) + before * (1 - before)) / at_stake);
    if (now <= before + config_.lost_errors * error) continue;
    found.push_back({key, format_text("checkpoint %d loses more results than an earlier one: %s "
                                      "%.2f %%, before %.2f %%, standard error %.2f %%",
                                      grade["iteration"].get<int>(), key.c_str(), 100 * now,
                                      100 * before, 100 * error)});
  }
  return found;
}

void GradeAlarms::look(Json& grade) {
  if (!grade.contains("truth")) return;
  const auto found = alarms(grade);
  grade["alarms"] = names_of(found);
  for (const auto& alarm : found)
    warn(alarm);
  remember(grade);
}

}  // namespace awale::training
