// The one file that a run goes on from and an agent is loaded from: weights, averaged weights,
// optimizer, counters, rules, config and the games still being played. HDF5, written atomically;
// the same state gives the same bytes. Layout: training/README.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "env/rules.hpp"
#include "nn/network_evaluator.hpp"
#include "nn/weights.hpp"
#include "training/learner.hpp"
#include "training/trajectory.hpp"

namespace awale::training {

struct Checkpoint {
  std::uint64_t seed = 0;
  std::uint32_t iteration = 0;      // iterations completed
  std::uint64_t games = 0;          // finished so far
  std::uint64_t rows = 0;           // training rows in them
  std::vector<env::RuleSet> rules;  // of the run's games, the usual ones first
  std::string config;  // resolved config as TOML, without the keys that do not change the result
  LearnerState learner;
  std::vector<GameRecord> open_games;  // unfinished, as far as they have come
};

// Throws InputError(kWrite).
void write_checkpoint(const std::filesystem::path& path, const Checkpoint& checkpoint);

// Throws InputError(kFile) when missing or damaged, kMismatch for another schema or encoder
// version.
Checkpoint read_checkpoint(const std::filesystem::path& path);

// What is needed to play: the averaged weights and the rules they were trained for.
struct Agent {
  std::vector<env::RuleSet> rules;  // one at least; the first is what it plays unless told
  nn::NetworkWeights weights;
  std::filesystem::path path;  // the file they came from
};

// From a checkpoint, a file written by `awale export --format weights`, a run directory (its newest
// checkpoint), or "pretrained", the network that comes with the program. Errors as
// read_checkpoint().
Agent load_agent(const std::filesystem::path& path);

// nn::make_network_source() of the agent's weights under its first rules.
std::shared_ptr<const nn::NetworkSource> make_network_source(const Agent& agent,
                                                             const nn::EvaluatorConfig& config);

// Throws InputError(kMismatch) naming the rule sets if the agent was trained for other games.
void require_rules(const Agent& agent, const env::RuleSet& rules);

}  // namespace awale::training
