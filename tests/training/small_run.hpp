// A training run small enough for a test, with everything in it that a real one has.
#pragma once

#include "training/config.hpp"

namespace awale::tests {

inline training::TrainingConfig small_run() {
  training::TrainingConfig config;
  config.run.seed = 7;
  config.run.threads = 1;
  config.run.iterations = 4;
  config.run.save_every = 1;
  config.run.keep_every = 1;
  config.rules = env::from_key_values(config.rules, {{"ply_limit", "30"}, {"name", "custom"}});
  config.network = {1, 16};
  config.search.simulations = 4;
  config.self_play.games = 16;
  config.self_play.group_games = 4;
  config.self_play.plies_per_iteration = 20;
  config.self_play.random_opening_share = 0.5;  // of 30 plies, most shall be searched
  config.self_play.random_opening_plies = 8;
  config.self_play.sampled_plies = 10;
  config.learner.batch_rows = 32;
  config.learner.warmup_rows = 64;
  config.learner.warmup_steps = 2;
  config.learner.window_rows = 512;
  config.evaluation.games = 0;
  return config;
}

}  // namespace awale::tests
