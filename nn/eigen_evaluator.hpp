// The network without LibTorch, row by row with Eigen: for playing single positions, and the
// reference that LibTorch and the exports are compared with. A row is computed the same way in
// every batch, so its result is the same to the bit.
#pragma once

#include <memory>

#include "nn/evaluator.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

// Evaluators share `weights`, which must not change. name(): "eigen 2x128".
std::unique_ptr<Evaluator> make_eigen_evaluator(std::shared_ptr<const NetworkWeights> weights);

// The auxiliary heads of such a network, which must have them: what searches do not ask.
// evaluations: [positions].
void evaluate_auxiliary(const NetworkWeights& weights, const env::RuleSet& rules,
                        std::span<const env::Position> positions,
                        std::span<AuxiliaryEvaluation> evaluations);

}  // namespace awale::nn
