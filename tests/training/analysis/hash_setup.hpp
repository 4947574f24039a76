// Analysts whose evaluator is a hash of the position: the same answers everywhere, and fast.
#pragma once

#include <memory>

#include "nn/hash_evaluator.hpp"
#include "training/analysis/analyst.hpp"

namespace awale::test {

inline training::AnalystSetup hash_setup(int most_simulations) {
  training::AnalystSetup setup;
  setup.search.simulations = most_simulations;
  setup.make_evaluator = [](int) { return std::make_unique<nn::HashEvaluator>(); };
  return setup;
}

}  // namespace awale::test
