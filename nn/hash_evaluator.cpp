#include "nn/hash_evaluator.hpp"

#include "env/random.hpp"

namespace awale::nn {
namespace {

Evaluation evaluate_one(const env::Position& position) {
  const std::uint64_t past = position.ply | std::uint64_t{position.quiet_plies} << 16 |
                             std::uint64_t{position.repetitions} << 32;
  env::RandomStream stream(env::hash(position.board), env::RandomPurpose::kTest, past, 0);
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

void HashEvaluator::evaluate(const env::RuleSet& /*rules*/,
                             std::span<const env::Position> positions,
                             std::span<Evaluation> evaluations) {
  for (std::size_t i = 0; i < positions.size(); ++i)
    evaluations[i] = evaluate_one(positions[i]);
}

}  // namespace awale::nn
