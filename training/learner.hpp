// The learner: one network, its optimizer and its averaged weights. No LibTorch in this header.
//
// Loss = policy_weight * cross entropy(policy, visit shares) + wdl_weight * cross entropy(win/draw/
// loss, target mix) + margin_weight * Huber(margin / 24, target / 24); AlphaZero's loss (Silver et
// al. 2017) with a win/draw/loss head in place of a scalar value and KataGo's score as auxiliary
// target (Wu 2019). To which the auxiliary heads add, where the network has them and their weights
// are not 0, margin_distribution_weight * cross entropy(97 classes, the game's final margin) +
// plies_left_weight * Huber(plies / 64): the plies left to the game's end, over rows that know
// them; Huber's bend, at 64 plies, keeps the few games that circle to the ply limit from
// outweighing the rest. AdamW (Loshchilov & Hutter 2019) on gradients clipped to a global norm; an
// exponential average of the weights plays.
//
// What computes is LearnerConfig::kind: LibTorch's autograd (`torch`), or passes written by hand
// around oneDNN's products (`cpu-fp32`, `cpu-bf16`), several times as fast. All keep the same state
// and go on from each other's. Computes on the calling thread alone, so the same batches give the
// same bytes, with each kind its own. One thread at a time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "env/rules.hpp"
#include "nn/weights.hpp"
#include "training/config.hpp"
#include "training/targets.hpp"

namespace awale::training {

// Means over the rows of one step, before weighting.
struct LossReport {
  double policy = 0;                 // cross entropy, nats
  double policy_target_entropy = 0;  // nats: the lowest value that `policy` could have
  double wdl = 0;                    // cross entropy, nats
  double margin = 0;                 // Huber loss of margin / 24
  double margin_distribution = 0;    // cross entropy, nats; 0 where it is not computed
  double plies_left = 0;             // Huber loss of plies / 64; likewise
  double gradient_norm = 0;          // before clipping
};

// Everything a learner needs to go on as if it had never stopped.
struct LearnerState {
  std::uint64_t steps = 0;
  nn::NetworkWeights weights;
  nn::NetworkWeights averaged;       // exponential moving average
  nn::NetworkWeights first_moment;   // AdamW's exp_avg, in the shapes of the weights
  nn::NetworkWeights second_moment;  // AdamW's exp_avg_sq
};

// A new network: deterministic from the seed; moments are 0 and the average equals the weights.
LearnerState initial_learner_state(const nn::NetworkConfig& network, std::uint64_t seed);

// What `auto` is on this machine: cpu-bf16 where it has AVX512-BF16, otherwise cpu-fp32. Throws
// InputError(kUsage) for a kind that this machine cannot run.
LearnerKind resolve_learner_kind(LearnerKind kind);

class Learner {
 public:
  // Rows say by TrainingRow::rules which of `rules` they were played by. Throws as
  // resolve_learner_kind().
  Learner(const LearnerConfig& config, const std::vector<env::RuleSet>& rules,
          const LearnerState& state);
  ~Learner();

  // One step on `rows` [B] with the learning rate `rate`. Throws InputError(kDiverged), everything
  // being as before the step, when the loss or the gradient is not finite.
  LossReport step(std::span<const TrainingRow* const> rows, double rate);

  // The losses of the averaged weights on `rows` [B], which are not learnt from; gradient_norm 0.
  LossReport evaluate(std::span<const TrainingRow* const> rows);

  // Writes a batch to a file that h5py reads (learner_dump.hpp), for looking at one of which step()
  // said that training diverged. Throws InputError(kWrite).
  void dump_batch(const std::filesystem::path& path,
                  std::span<const TrainingRow* const> rows) const;

  LearnerState state() const;
  nn::NetworkWeights averaged() const;
  std::uint64_t steps() const;
  LearnerKind kind() const;  // never kAuto

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// The learning rate of step `step` (from 0): linear warm-up; `decay_progress` in [0,1] says how far
// the final decay is (0: not begun), which follows a half cosine (Loshchilov & Hutter 2017) down to
// 0.
double learning_rate(const LearnerConfig& config, std::uint64_t step, double decay_progress);

}  // namespace awale::training
