// Everything that decides what a training run does: one struct a module, defaults here, bound to
// the command line and to TOML in training/cli/options.cpp. `validate()` throws InputError(kUsage)
// that names the key ("self_play.games") and what was expected; contradictions between fields
// included.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator_config.hpp"
#include "nn/weights.hpp"
#include "training/targets.hpp"

namespace awale::training {

struct SelfPlayConfig {
  int games = 1024;       // played at once, a multiple of group_games; more take longer to their
                          // ends, so that the learner hears later of what the network can
  int group_games = 256;  // games that share one network batch; fixed, so that results do not
                          // depend on the number of threads
  int plies_per_iteration = 16;  // each of the games advances so many plies in an iteration

  // A share of the games starts with 1..random_opening_plies uniformly random plies, so that the
  // network meets positions that its own play avoids.
  double random_opening_share = 0.8;
  int random_opening_plies = 16;

  // A further share begins at a random position of the slot's last game, with one random move: what
  // the game might have been (Wu 2019 and KataGo's "forks").
  double fork_share = 0.0;

  // PUCT: the move is drawn from visits^(1/temperature) during the first sampled_plies plies, then
  // it is the most visited. Sampling later would poison the value targets with blunders. Gumbel's
  // moves are as random as its noise.
  int sampled_plies = 20;
  double temperature = 1.0;

  // Presets whose games are mixed, the groups taking them in turn: one network for all of them, as
  // its input says the rules. The run's own rules ("own") are always among them and the first, by
  // which checkpoints are graded; "all": every preset.
  std::vector<std::string> presets = {"own"};

  // Playout cap randomization (Wu 2019, "Accelerating self-play learning in Go", section 3.1): a
  // ply is searched with all simulations and noise with this probability, else with
  // fast_simulations and without noise; only the former become policy targets. 1: always.
  double full_search_share = 1.0;
  int fast_simulations = 16;

  // Progressive simulation (Wu et al. 2023, "MiniZero", section IV-B): a run begins with so many
  // simulations a full search and comes to search.simulations in equal ratios over the first
  // progressive_share of its iterations, because early on many games teach more than good ones. 0:
  // always all of them.
  int first_simulations = 0;
  double progressive_share = 0.5;

  // Simulations of a full search at `progress` in [0,1] of the run's iterations.
  int simulations_at(double progress, int all) const;

  // Together with the search that plays.
  void validate(const mcts::SearchConfig& search) const;
};

// Where self-play stops games whose end is certain (adjudication.hpp).
struct AdjudicationConfig {
  std::string table;            // file of an endgame table, "" for none: every game is played out
  double play_out_share = 0.1;  // of the games, which are played out all the same

  void validate() const;
};

enum class LearnerKind {
  kAuto,     // the fastest here: cpu-bf16 where the machine has AVX512-BF16, otherwise cpu-fp32
  kTorch,    // LibTorch's autograd, float32: the reference
  kCpuFp32,  // passes by hand around oneDNN's products, float32
  kCpuBf16,  // the same with products in bfloat16
};

// Every kind with its name in configs and messages, kAuto first.
const std::vector<std::pair<std::string, LearnerKind>>& learner_kinds();
std::string to_string(LearnerKind kind);

struct LearnerConfig {
  LearnerKind kind = LearnerKind::kAuto;
  int batch_rows = 512;      // in minutes better than 1,024: configs/README.md
  double uses_per_row = 4;   // how often a row is trained on, on average; above 8 the value head
                             // overfits
  int warmup_rows = 20'000;  // no training before so many rows are there

  // Batches are drawn from the newest window_first_rows * (N / window_first_rows)^window_exponent
  // of all N rows so far, at most window_rows (a power of the data, as KataGo's shuffler: Wu 2019,
  // appendix C): the first, random games are forgotten soon, later ones are worth keeping.
  int window_rows = 2'000'000;
  int window_first_rows = 50'000;
  double window_exponent = 0.75;

  // Rows whose search surprised the network are learned from more often (surprise.hpp); 0: all are
  // alike.
  double surprise_share = 0.0;

  // Games held out of learning, to see how much of the loss is learnt by heart.
  double validation_share = 0.02;
  int validation_rows = 4096;  // the newest of them that losses are measured on

  double learning_rate = 1e-3;  // AdamW (Loshchilov & Hutter 2019)
  int warmup_steps = 100;       // linear from 0
  double decay_share = 0.3;     // of the run, at its end: cosine to 0
  double weight_decay = 1e-4;
  double beta1 = 0.9;
  double beta2 = 0.99;
  double gradient_clip = 1.0;  // global norm
  double ema_decay = 0.995;    // averaged weights, used for self-play, evaluation and export:
                               // configs/README.md

  double policy_weight = 1.0;  // of each loss term
  double wdl_weight = 1.0;
  double margin_weight = 1.0;
  // Auxiliary heads, which teach the layers below and no search asks; 0: not computed. Small, so
  // that they do not outweigh what is asked for: KataGo's distribution of the final score has 0.02
  // (Wu 2019), but is learnt beside many points' owners. Not tuned here.
  double margin_distribution_weight = 0.05;
  double plies_left_weight = 0.1;

  void validate() const;
};

// What a run ends with: the trained and the untrained agent against each opponent.
struct EvaluationConfig {
  std::vector<std::string> opponents = {"random", "minimax:4", "minimax:6"};
  int games = 200;       // against each, in pairs with colours swapped; 0: no evaluation
  int simulations = 64;  // a move of the agent

  void validate() const;
};

// What every kept checkpoint is graded by, beside the training (checkpoint_grader.hpp).
struct GradingConfig {
  std::vector<std::string> opponents = {"minimax:8"};
  int games = 100;       // against each, in pairs with colours swapped; 0: none
  int positions = 1000;  // of few seeds whose truth is known; 0: none
  int simulations = 64;  // a move of the agent

  void validate() const;
};

// How much of its games a run keeps (data/prune_shards.hpp).
struct DataConfig {
  std::int64_t keep_rows = 0;  // training rows, the newest; older shards are deleted. 0: everything

  // Together with the learner, whose window must not lose rows.
  void validate(const LearnerConfig& learner) const;
};

// When a run is said to go wrong (alarms.hpp). A run of the quickstart ends with a policy entropy
// of 0.16 nats and a value spread of 0.65; what it passes on the way: training/README.md.
struct AlarmConfig {
  double entropy_share = 0.5;        // of the policy entropy of the last ten iterations; no ten
                                     // iterations of a sound run halve it, but the first
  double least_entropy = 0.03;       // nats; a fifth of what the quickstart ends with
  double least_value_spread = 0.05;  // between the untrained network's and that of 100 steps (0.1)
  int least_steps = 500;             // before so many steps of the learner the values may be alike
  double lost_errors = 3;            // standard errors that the share of results lost may be above
                                     // the best grade; by chance it is once in 700 times

  void validate() const;
};

struct RunConfig {
  std::uint64_t seed = 1;
  int threads = 2;       // workers; each computes with one thread
  int iterations = 100;  // of self-play and training
  double minutes = 0;  // a cap on the training time, 0: none. A run that meets it ends earlier and
                       // is no longer reproducible to the byte
  double core_minutes = 0;  // the same in processor time of all threads, for machines that do
                            // something else beside: two runs of equal core_minutes compare
  int save_every = 10;  // every so many iterations the games since the last time are written to a
                        // shard, and a checkpoint that goes on from there. What a kill loses is
                        // played again, to the bit
  int keep_every = 20;  // every so many iterations a checkpoint is kept for good, beside the first,
                        // the newest two and the last; a multiple of save_every
  int most_waiting = 16;  // shards from other processes that may wait for the learner: where there
                          // are more, those who bring them wait (external/follower.hpp). So an old
                          // network does not play more than the learner comes to read

  void validate() const;
};

struct TrainingConfig {
  RunConfig run;
  env::RuleSet rules;
  nn::NetworkConfig network;
  mcts::SearchConfig search;
  nn::EvaluatorConfig evaluator;  // of self-play and evaluation
  SelfPlayConfig self_play;
  AdjudicationConfig adjudication;
  TargetConfig targets;
  LearnerConfig learner;
  DataConfig data;
  EvaluationConfig evaluation;
  GradingConfig grading;
  AlarmConfig alarms;

  TrainingConfig();  // search with noise

  // Simulations of a full search in iteration `iteration` (from 1).
  int simulations_of(std::uint32_t iteration) const;

  // Of self-play, the run's rules first; a preset that is the same game as an earlier one counts
  // once.
  std::vector<env::RuleSet> rule_sets() const;

  // Every part and what must fit between them.
  void validate() const;
};

}  // namespace awale::training
