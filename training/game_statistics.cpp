#include "training/game_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "training/targets.hpp"

namespace awale::training {
namespace {

double mean(double sum, std::uint64_t count) {
  return count == 0 ? 0 : std::round(100 * sum / static_cast<double>(count)) / 100;
}

double first_player_points(const GameRecord& game) {
  const int margin = game.outcome.margin_south_seeds;
  if (margin == 0) return 0.5;
  return (margin > 0) == (game.start.to_move == env::Side::kSouth) ? 1 : 0;
}

}  // namespace

std::uint64_t hash_course(const GameRecord& game) {
  std::uint64_t result = env::hash(game.start) + game.rules_index;
  for (const auto& ply : game.plies) {
    env::Board mixed;
    std::memcpy(mixed.pits.data(), &result, sizeof(result));
    mixed.pits[sizeof(result)] = ply.move;
    result = env::hash(mixed);
  }
  return result;
}

void GameStatistics::add(const GameRecord& game) {
  const std::uint64_t length = game.plies.size();
  ++games_;
  plies_ += length;
  training_rows_ += count_rows({&game, 1});
  shortest_ = std::min(shortest_, length);
  longest_ = std::max(longest_, length);
  first_player_points_ += first_player_points(game);
  ++endings_.at(static_cast<std::size_t>(game.outcome.reason));
  courses_.insert(hash_course(game));
}

nlohmann::ordered_json GameStatistics::to_json() const {
  nlohmann::ordered_json json;
  json["games"] = games_;
  json["distinct_games"] = courses_.size();
  json["plies"] = plies_;
  json["training_rows"] = training_rows_;
  json["plies_a_game"] = {{"shortest", games_ == 0 ? 0 : shortest_},
                          {"mean", mean(static_cast<double>(plies_), games_)},
                          {"longest", longest_}};
  for (std::size_t reason = 1; reason < endings_.size(); ++reason) {
    json["endings"][env::to_string(static_cast<env::EndReason>(reason))] = endings_[reason];
  }
  json["endings"]["adjudicated"] = endings_[0];
  json["first_player_points_percent"] = mean(100 * first_player_points_, games_);
  return json;
}

}  // namespace awale::training
