#include "nn/hash_evaluator.hpp"

#include "env/random.hpp"
#include "nn/position_key.hpp"

namespace awale::nn {
namespace {

Evaluation evaluate_one(const PositionKey& key) {
  env::RandomStream stream(hash(key), env::RandomPurpose::kTest, 0, 0);
  Evaluation evaluation;
  // Multiples of 1/64, exact in float, so that golden trees do not depend on rounding.
  const auto number = [&stream] { return static_cast<float>(stream.below(129)) / 64.0F - 1.0F; };
  for (auto& logit : evaluation.policy_logits)
    logit = number();
  const float win = (number() + 1.0F) / 4.0F;
  const float draw = (number() + 1.0F) / 8.0F;
  evaluation.win_draw_loss = {win, draw, 1.0F - win - draw};
  evaluation.margin_seeds = 24.0F * number();
  return evaluation;
}

}  // namespace

void HashEvaluator::evaluate(const env::RuleSet& rules, std::span<const env::Position> positions,
                             std::span<Evaluation> evaluations) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    evaluations[i] = evaluate_one(position_key(rules, positions[i]));
}

}  // namespace awale::nn
