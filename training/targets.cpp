#include "training/targets.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "env/error.hpp"

namespace awale::training {
namespace {

bool is_row(const PlyRecord& ply) {
  return (ply.flags & kUnsearchedPly) == 0;
}

int sign(int value) {
  return (value > 0) - (value < 0);
}

// The units are rounded, so their sum is not quite kPolicyUnits.
std::array<float, env::kMoves> policy_target(const PlyRecord& ply) {
  std::array<float, env::kMoves> policy = {};
  const auto total = std::accumulate(ply.policy.begin(), ply.policy.end(), 0U);
  if (total == 0) return policy;
  for (std::size_t move = 0; move < policy.size(); ++move) {
    policy[move] = static_cast<float>(ply.policy[move]) / static_cast<float>(total);
  }
  return policy;
}

std::int8_t final_margin(const PlyRecord& ply, int margin_south) {
  const bool south = ply.position.board.to_move == env::Side::kSouth;
  return static_cast<std::int8_t>(south ? margin_south : -margin_south);
}

std::uint16_t as_target(std::size_t plies) {
  return static_cast<std::uint16_t>(std::min<std::size_t>(plies, UINT16_MAX));
}

}  // namespace

void TargetConfig::validate() const {
  if (lambda >= 0 && lambda <= 1) return;
  throw InputError(ErrorKind::kUsage,
                   "targets.lambda: expected a number in [0, 1], found " + std::to_string(lambda));
}

std::array<float, 3> win_draw_loss_target(double value, bool drawn_game) {
  const double draw = drawn_game ? 1 - std::abs(value) : 0;
  return {static_cast<float>((1 - draw + value) / 2), static_cast<float>(draw),
          static_cast<float>((1 - draw - value) / 2)};
}

std::vector<TrainingRow> training_rows(const GameRecord& game, const TargetConfig& config) {
  AWALE_CHECK(ended(game), "game " << game.game_id << " goes on");
  const int margin_south = game.outcome.margin_south_seeds;
  std::vector<TrainingRow> rows;
  rows.reserve(game.plies.size());

  // Of the player after the last ply, as if he had a ply of his own.
  const bool south_last =
      game.plies.empty() || game.plies.back().position.board.to_move == env::Side::kSouth;
  double value = sign(margin_south) * (south_last ? -1 : 1);
  double margin = margin_south * (south_last ? -1 : 1);
  bool drawn = margin_south == 0;
  double lambda = 1;  // the last ply's target is the outcome itself
  std::size_t plies_left = 0;
  for (auto ply = game.plies.rbegin(); ply != game.plies.rend(); ++ply) {
    ++plies_left;
    if (!is_row(*ply)) lambda = 1;
    if ((ply->flags & kTableValue) != 0) {
      lambda = 0;
      drawn = ply->root_value == 0;
    }
    const double own_value = std::clamp<double>(ply->root_value, -1, 1);
    value = (1 - lambda) * own_value - lambda * value;
    margin = (1 - lambda) * ply->root_margin_seeds - lambda * margin;
    lambda = config.lambda;
    if (!is_row(*ply)) continue;
    rows.push_back({.position = ply->position,
                    .legal = ply->legal,
                    .rules = game.rules_index,
                    .final_margin_seeds = final_margin(*ply, margin_south),
                    .plies_left = game.adjudicated ? std::uint16_t{0} : as_target(plies_left),
                    .policy = policy_target(*ply),
                    .win_draw_loss = win_draw_loss_target(value, drawn),
                    .margin_seeds = static_cast<float>(margin)});
  }
  std::reverse(rows.begin(), rows.end());
  return rows;
}

std::uint64_t count_rows(std::span<const GameRecord> games) {
  std::uint64_t rows = 0;
  for (const auto& game : games) {
    rows += static_cast<std::uint64_t>(std::count_if(game.plies.begin(), game.plies.end(), is_row));
  }
  return rows;
}

}  // namespace awale::training
