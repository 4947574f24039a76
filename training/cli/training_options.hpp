// Binds the parts of a TrainingConfig that are not shared with other subcommands.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "training/config.hpp"

namespace awale::training {

// Of section [evaluator]: what computes the network, and where.
void add_evaluator_kind(CLI::App& app, nn::EvaluatorConfig& evaluator);
// The same, and with how large a cache.
void add_evaluator(CLI::App& app, nn::EvaluatorConfig& evaluator);

// Section [targets].
void add_targets(CLI::App& app, TargetConfig& targets);

void add_self_play(CLI::App& app, SelfPlayConfig& self_play);

// Section [adjudication]: the endgame table that ends games of self-play.
void add_adjudication(CLI::App& app, AdjudicationConfig& adjudication);

// Every section of a training config.
void add_training_config(CLI::App& app, TrainingConfig& config);

// All settings of `config` as TOML that reads back to the same config.
std::string to_toml(const TrainingConfig& config);

// The same without the keys that do not change what is computed (threads, device, cache, how long,
// what is kept, how it is graded, where an endgame table lies): equal for two runs exactly if their
// files are, but for what is in that table. [adjudication] stands there only if it is on.
std::string reproducible_toml(const TrainingConfig& config);

}  // namespace awale::training
