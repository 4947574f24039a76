// The searches that the tests run, by what they differ in.
#pragma once

#include <string>

#include "mcts/search_config.hpp"

namespace awale::test {

inline mcts::SearchConfig config_of(mcts::Algorithm algorithm, int simulations,
                                    float margin_weight = 0.1F) {
  mcts::SearchConfig config;
  config.algorithm = algorithm;
  config.simulations = simulations;
  config.margin_weight = margin_weight;
  return config;
}

inline mcts::SearchConfig puct(int simulations) {
  return config_of(mcts::Algorithm::kPuct, simulations);
}

inline mcts::SearchConfig gumbel(int simulations) {
  return config_of(mcts::Algorithm::kGumbel, simulations);
}

// As in self-play.
inline mcts::SearchConfig noisy(mcts::SearchConfig config) {
  config.noise_weight = 0.25F;
  config.forced_playouts = 2.0F;
  config.gumbel_noise = 1.0F;
  return config;
}

inline std::string describe(const mcts::SearchConfig& config) {
  return to_string(config.algorithm) + " " + std::to_string(config.simulations) + " simulations, " +
         std::to_string(config.leaves) + " leaves" + (config.noisy() ? ", noisy" : "") +
         (config.solve ? "" : ", no bounds");
}

}  // namespace awale::test
