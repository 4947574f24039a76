#include "mcts/utility.hpp"

#include <algorithm>

namespace awale::mcts {
namespace {

constexpr float kUtilityMarginSeeds = 24.0F;  // half of all seeds

}  // namespace

float utility(float result, float margin_seeds, float margin_weight) {
  const float margin = std::clamp(margin_seeds / kUtilityMarginSeeds, -1.0F, 1.0F);
  return (1 - margin_weight) * result + margin_weight * margin;
}

float utility(const nn::Evaluation& evaluation, float margin_weight) {
  const float result = evaluation.win_draw_loss[0] - evaluation.win_draw_loss[2];
  return utility(result, evaluation.margin_seeds, margin_weight);
}

float terminal_utility(int final_margin_seeds, float margin_weight) {
  const int result = (final_margin_seeds > 0 ? 1 : 0) - (final_margin_seeds < 0 ? 1 : 0);
  return utility(static_cast<float>(result), static_cast<float>(final_margin_seeds), margin_weight);
}

}  // namespace awale::mcts
