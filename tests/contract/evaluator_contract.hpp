// What every evaluator owes its callers (nn/evaluator.hpp). A test case makes one and calls
// check_evaluator_contract.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include "nn/weights.hpp"
#include "tests/nn/random_positions.hpp"
#include "tests/support/catch.hpp"

namespace awale::test {

// Rows may differ by this much between batches of different sizes: matrix products add in another
// order. 0: they may not differ in any bit.
struct ContractTolerance {
  double between_batch_sizes = 0;
};

inline std::vector<nn::Evaluation> evaluate_all(nn::Evaluator& evaluator, const env::RuleSet& rules,
                                                std::span<const env::Position> positions) {
  std::vector<nn::Evaluation> evaluations(positions.size());
  evaluator.evaluate(rules, positions, evaluations);
  return evaluations;
}

inline bool same_bits(const nn::Evaluation& left, const nn::Evaluation& right) {
  return std::memcmp(&left, &right, sizeof(left)) == 0;
}

inline void check_outputs_make_sense(const nn::Evaluation& evaluation) {
  float sum = 0;
  for (const float probability : evaluation.win_draw_loss) {
    REQUIRE(probability >= 0);
    sum += probability;
  }
  REQUIRE(sum == Approx(1).margin(1e-5));
  for (const float logit : evaluation.policy_logits)
    REQUIRE(std::abs(logit) < 1e6);
  REQUIRE(std::abs(evaluation.margin_seeds) < 1e6);
}

inline void check_batch_sizes_agree(nn::Evaluator& evaluator, const env::RuleSet& rules,
                                    std::span<const env::Position> positions,
                                    ContractTolerance tolerance) {
  const auto whole = evaluate_all(evaluator, rules, positions);
  for (const std::size_t size : {1, 2, 7, 64, 300}) {
    for (std::size_t first = 0; first < positions.size(); first += size) {
      const std::size_t rows = std::min(size, positions.size() - first);
      const auto part = evaluate_all(evaluator, rules, positions.subspan(first, rows));
      for (std::size_t i = 0; i < rows; ++i) {
        INFO("row " << first + i << " in batches of " << size);
        if (tolerance.between_batch_sizes == 0) REQUIRE(same_bits(part[i], whole[first + i]));
        REQUIRE(nn::max_difference(part[i], whole[first + i]) <= tolerance.between_batch_sizes);
      }
    }
  }
}

// The contents of other rows never matter, in no bit.
inline void check_neighbours_do_not_matter(nn::Evaluator& evaluator, const env::RuleSet& rules,
                                           std::span<const env::Position> positions) {
  const auto before = evaluate_all(evaluator, rules, positions);
  std::vector<env::Position> changed(positions.begin(), positions.end());
  for (std::size_t i = 0; i < changed.size(); i += 2)
    changed[i] = positions[0];
  const auto after = evaluate_all(evaluator, rules, changed);
  for (std::size_t i = 1; i < changed.size(); i += 2)
    REQUIRE(same_bits(before[i], after[i]));
}

inline void check_evaluator_contract(nn::Evaluator& evaluator, ContractTolerance tolerance = {}) {
  CHECK_FALSE(evaluator.name().empty());
  for (const env::RuleSet& rules : many_rules()) {
    INFO(evaluator.name() << " under " << env::describe(rules));
    const auto positions = random_positions(rules, 30, 11);
    const auto evaluations = evaluate_all(evaluator, rules, positions);
    for (const nn::Evaluation& evaluation : evaluations)
      check_outputs_make_sense(evaluation);
    const auto again = evaluate_all(evaluator, rules, positions);
    for (std::size_t i = 0; i < again.size(); ++i)
      REQUIRE(same_bits(evaluations[i], again[i]));
  }
  const env::RuleSet rules;
  const auto positions = random_positions(rules, 700, 12);
  evaluator.evaluate(rules, {}, {});
  check_batch_sizes_agree(evaluator, rules, positions, tolerance);
  check_neighbours_do_not_matter(evaluator, rules, positions);
}

}  // namespace awale::test
