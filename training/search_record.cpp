#include "training/search_record.hpp"

#include <algorithm>
#include <cmath>

#include "mcts/root_policy.hpp"

namespace awale::training {
namespace {

std::uint16_t share_units(float share) {
  return static_cast<std::uint16_t>(std::lround(share * kPolicyUnits));
}

// Never 0: a move that the network found all but impossible has a finite surprise.
std::uint16_t prior_units(float share) {
  return std::max<std::uint16_t>(share_units(share), 1);
}

std::int16_t value_units(float value) {
  return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0F, 1.0F) * kValueUnits));
}

void set_flag(PlyRecord& ply, PlyFlags flag, bool value) {
  ply.flags = static_cast<std::uint8_t>(value ? ply.flags | flag : ply.flags & ~flag);
}

}  // namespace

void record_search(const mcts::SearchResult& result, float margin_weight, bool full,
                   PlyRecord& ply) {
  ply.visits = result.visits;
  for (std::size_t move = 0; move < env::kMoves; ++move) {
    const bool legal = (result.legal >> move & 1) != 0;
    ply.policy[move] = full ? share_units(result.policy[move]) : std::uint16_t{0};
    ply.prior[move] = legal ? prior_units(result.priors[move]) : std::uint16_t{0};
    ply.move_values[move] =
        result.visits[move] > 0 ? value_units(result.values[move]) : std::int16_t{0};
  }
  ply.root_value = mcts::root_win_loss(result, margin_weight);
  ply.root_margin_seeds = result.root_margin_seeds;
  ply.network_value = result.network.win_draw_loss[0] - result.network.win_draw_loss[2];
  ply.network_margin_seeds = result.network.margin_seeds;
  ply.network_draw = share_units(std::clamp(result.network.win_draw_loss[1], 0.0F, 1.0F));
  set_flag(ply, kFastSearch, !full);
  set_flag(ply, kSolvedPly, result.solved);
  set_flag(ply, kTableValue, false);
}

}  // namespace awale::training
