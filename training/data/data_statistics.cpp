#include "training/data/data_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "env/notation.hpp"
#include "training/data/rounding.hpp"
#include "training/rating.hpp"
#include "training/trajectory_log.hpp"

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kSeeds = env::kSeeds;
constexpr std::size_t kMostParts = 12;  // rows of the table over iterations

bool searched(const PlyRecord& ply) {
  return (ply.flags & kUnsearchedPly) == 0;
}

double total(const std::array<std::uint16_t, env::kMoves>& shares) {
  return std::accumulate(shares.begin(), shares.end(), 0.0);
}

// 1, 0 or -1 for the player to move.
double outcome_of(const GameRecord& game, const PlyRecord& ply) {
  const int south = game.outcome.margin_south_seeds;
  const int sign = (south > 0) - (south < 0);
  return ply.position.board.to_move == env::Side::kSouth ? sign : -sign;
}

Json quantiles_json(const Histogram& histogram, double shift = 0) {
  Json json;
  json["mean"] = short_number(histogram.mean() + (histogram.count() > 0 ? shift : 0));
  for (const auto& [name, share] :
       {std::pair{"min", 0.0}, std::pair{"p5", 0.05}, std::pair{"p25", 0.25},
        std::pair{"median", 0.5}, std::pair{"p75", 0.75}, std::pair{"p95", 0.95},
        std::pair{"max", 1.0}}) {
    const double value = histogram.count() > 0 ? histogram.quantile(share) + shift : 0;
    json[name] = short_number(value);
  }
  return json;
}

Json calibration_json(const Calibration& calibration) {
  return {{"n", calibration.count()},
          {"mean_squared_error", short_number(calibration.mean_squared_error())},
          {"calibration_error", short_number(calibration.expected_error())},
          {"bins", calibration.to_json()}};
}

// Games are independent, so each is a trial of Wilson's interval.
Json first_player_json(const Json& games) {
  const double percent = games["first_player_points_percent"];
  const double n = games["games"];
  const auto [low, high] = n > 0 ? wilson_interval(percent / 100, n) : std::pair{0.0, 1.0};
  return {{"points_percent", percent},
          {"points_percent_low", rounded(100 * low, 0.01)},
          {"points_percent_high", rounded(100 * high, 0.01)}};
}

}  // namespace

double entropy(const std::array<std::uint16_t, env::kMoves>& shares) {
  const double sum = total(shares);
  double result = sum > 0 ? 0 : std::nan("");
  for (const double share : shares) {
    if (share > 0) result -= share / sum * std::log(share / sum);
  }
  return result;
}

double surprise(const PlyRecord& ply) {
  const double policy_sum = total(ply.policy);
  const double prior_sum = total(ply.prior);
  if (policy_sum == 0 || prior_sum == 0) return std::nan("");
  double result = 0;
  for (std::size_t move = 0; move < env::kMoves; ++move) {
    const double policy = ply.policy[move] / policy_sum;
    if (policy > 0) result += policy * std::log(policy / (ply.prior[move] / prior_sum));
  }
  return std::max(result, 0.0);  // rounding
}

void DataStatistics::add_shard(const std::filesystem::path& file) {
  Shard shard = read_shard(file);
  ++files_;
  bytes_ += std::filesystem::file_size(file);
  for (auto& game : shard.games) {
    game.rules_index = add_rules(rules_, shard.provenance.rules[game.rules_index]);
    add(game, rules_[game.rules_index]);
  }
}

void DataStatistics::add(const GameRecord& game, const env::RuleSet& rules) {
  ++by_rules_[env::describe(rules)];
  add_to(total_, game);
  add_to(by_iteration_[game.last_iteration], game);
  const int margin = game.outcome.margin_south_seeds;
  const bool south_first = game.start.to_move == env::Side::kSouth;
  length_.add(static_cast<double>(game.plies.size()));
  margin_.add(std::abs(margin));
  first_margin_.add((south_first ? margin : -margin) + kSeeds);
  add_opening(game, rules);
  for (const auto& ply : game.plies)
    add_ply(ply, outcome_of(game, ply));
}

void DataStatistics::add_to(Part& part, const GameRecord& game) {
  part.games.add(game);
  part.draws += game.outcome.margin_south_seeds == 0 ? 1 : 0;
  for (const auto& ply : game.plies) {
    if (!searched(ply)) continue;
    part.root_value.add(ply.root_value, outcome_of(game, ply));
    if (total(ply.policy) == 0) continue;
    part.policy_entropy.add(entropy(ply.policy));
    if (total(ply.prior) > 0) part.surprise.add(surprise(ply));
  }
}

void DataStatistics::add_ply(const PlyRecord& ply, double outcome) {
  for (const auto& [name, flag] :
       {std::pair{"unsearched", kUnsearchedPly}, std::pair{"sampled_move", kSampledMove},
        std::pair{"fast_search", kFastSearch}, std::pair{"table_value", kTableValue},
        std::pair{"solved", kSolvedPly}}) {
    flags_[name] += (ply.flags & flag) != 0 ? 1 : 0;
  }
  if (!searched(ply)) return;
  network_value_.add(ply.network_value, outcome);
  if (total(ply.prior) == 0) return;
  prior_entropy_.add(entropy(ply.prior));
  if (total(ply.policy) == 0) return;
  ++compared_;
  const auto best = [](const auto& shares) {
    return std::max_element(shares.begin(), shares.end()) - shares.begin();
  };
  same_best_ += best(ply.prior) == best(ply.policy) ? 1 : 0;
}

void DataStatistics::add_opening(const GameRecord& game, const env::RuleSet& rules) {
  if (game.plies.size() <= kOpeningPlies || game.start != env::initial_board()) return;
  const auto& board = game.plies[kOpeningPlies].position.board;
  ++openings_[env::to_text(board) + " " + rules.name];
}

Json DataStatistics::openings_json() const {
  double games = 0;
  double entropy_bits = 0;
  std::pair<std::string, std::uint64_t> most;
  for (const auto& [position, count] : openings_) {
    games += static_cast<double>(count);
    // Of equally frequent ones the first in the alphabet: the map's order means nothing.
    if (count > most.second || (count == most.second && position < most.first)) {
      most = {position, count};
    }
  }
  for (const auto& entry : openings_) {
    const double share = static_cast<double>(entry.second) / games;
    entropy_bits -= share * std::log2(share);
  }
  return {{"plies", kOpeningPlies},
          {"games", static_cast<std::uint64_t>(games)},
          {"distinct", openings_.size()},
          {"entropy_bits", short_number(entropy_bits)},
          {"most_frequent", most.first.substr(0, most.first.find(' '))},
          {"most_frequent_percent",
           rounded(100 * ratio(static_cast<double>(most.second), games), 0.01)}};
}

// Iterations in at most kMostParts stretches of equal length; a stretch is summed up by its last
// iteration alone, so that the numbers of one are of one network.
Json DataStatistics::iterations_json() const {
  Json json = Json::array();
  const std::size_t count = by_iteration_.size();
  const std::size_t step = std::max<std::size_t>(1, (count + kMostParts - 1) / kMostParts);
  std::size_t i = 0;
  for (const auto& [iteration, part] : by_iteration_) {
    const bool last = ++i == count;
    if (!last && (count - i) % step != 0) continue;
    const auto games = part.games.to_json();
    json.push_back(
        {{"iteration", iteration},
         {"games", games["games"]},
         {"mean_plies", games["plies_a_game"]["mean"]},
         {"distinct_percent", rounded(100 * ratio(games["distinct_games"], games["games"]), 0.01)},
         {"first_player_points_percent", games["first_player_points_percent"]},
         {"draws_percent",
          rounded(100 * ratio(static_cast<double>(part.draws), games["games"]), 0.01)},
         {"policy_entropy", short_number(part.policy_entropy.mean())},
         {"surprise", short_number(part.surprise.mean())},
         {"root_value_error", short_number(part.root_value.mean_squared_error())}});
  }
  return json;
}

Json DataStatistics::to_json() const {
  const Json games = total_.games.to_json();
  const double plies = games["plies"];
  Json json = {{"files", files_}, {"bytes", bytes_}};
  for (const char* key : {"games", "distinct_games", "plies", "training_rows"})
    json[key] = games[key];
  json["bytes_a_ply"] = rounded(ratio(static_cast<double>(bytes_), plies), 0.01);
  json["bytes_a_row"] = rounded(ratio(static_cast<double>(bytes_), games["training_rows"]), 0.01);
  json["duplicate_games"] =
      games["games"].get<std::uint64_t>() - games["distinct_games"].get<std::uint64_t>();
  for (const auto& [rules, count] : by_rules_)
    json["rules"].push_back({{"rules", rules}, {"games", count}});
  json["plies_a_game"] = quantiles_json(length_);
  json["endings"] = games["endings"];
  json["first_player"] = first_player_json(games);
  json["draws_percent"] =
      rounded(100 * ratio(static_cast<double>(total_.draws), games["games"]), 0.01);
  json["margin_of_the_first_player"] = quantiles_json(first_margin_, -kSeeds);
  json["margin_of_the_winner"] = quantiles_json(margin_);
  json["openings"] = openings_json();
  for (const auto& [name, count] : flags_)
    json["flags_percent"][name] = rounded(100 * ratio(static_cast<double>(count), plies), 0.01);
  json["policy_entropy"] = quantiles_json(total_.policy_entropy);
  json["prior_entropy"] = quantiles_json(prior_entropy_);
  json["surprise"] = quantiles_json(total_.surprise);
  json["best_move_unchanged_percent"] =
      rounded(100 * ratio(static_cast<double>(same_best_), static_cast<double>(compared_)), 0.01);
  json["root_value"] = calibration_json(total_.root_value);
  json["network_value"] = calibration_json(network_value_);
  json["iterations"] = iterations_json();
  return json;
}

}  // namespace awale::training
