// The one place where it is decided what evaluates a network. No LibTorch in this header.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nn/evaluator.hpp"
#include "nn/evaluator_config.hpp"
#include "nn/weights.hpp"

namespace awale::nn {

// A network ready to be evaluated: weights laid out once, immutable, shared by threads.
class NetworkSource {
 public:
  using MakeEvaluator = std::function<std::unique_ptr<Evaluator>()>;

  NetworkSource(MakeEvaluator make, int cache_positions)
      : make_(std::move(make)), cache_positions_(cache_positions) {}

  // An evaluator for one thread, with a cache of its own where the config asks for one. With
  // `threads` > 1 its batches are shared among so many threads, for the search of a single game;
  // the cache is in front of them. Callable from any thread.
  std::unique_ptr<Evaluator> make(int threads = 1) const;

  // What make() gives: "cpu bf16 2x128, cache 65536".
  std::string name() const { return make()->name(); }

 private:
  MakeEvaluator make_;
  int cache_positions_;
};

// How far `auto` lets a CPU kernel be from the Eigen evaluator in what a search reads: the moves'
// probabilities, those of win, draw and loss, the margin / 24 (difference_from_reference()).
inline constexpr double kCpuFp32Tolerance = 1e-4;
inline constexpr double kCpuRoundedTolerance = 0.1;  // bfloat16 and int8

// `auto` is the first of these that there is:
//   LibTorch on a GPU, unless the device is cpu
//   cpu-bf16 with AMX, where the processor has it and it agrees with Eigen on this network
//   cpu-int8, cpu-bf16, cpu-fp32, likewise
//   LibTorch on the CPU, without a cache, because its rows depend on the size of the batch, so that
//   results would depend on what a cache happens to know
// "Agrees" is checked here, on 64 fixed positions of games under `rules`, those that the network
// has learnt (what it makes of others may be far too large for bfloat16), within the tolerances
// above: it takes a few ms, and a network whose weights are too much is found out. A kind that is
// asked for by name is taken unchecked.
//
// Throws InputError(kUsage) for a config that is not valid and for a kind or device that this
// machine lacks.
std::shared_ptr<const NetworkSource> make_network_source(const NetworkWeights& weights,
                                                         const EvaluatorConfig& config,
                                                         const env::RuleSet& rules = {});

// Whether this machine has what `kind` needs; auto always has something.
bool runs_here(EvaluatorKind kind);

// The largest difference of `evaluator` from the Eigen evaluator of `weights` on those positions,
// as max_difference() has it but for the policy, which is compared as probabilities of the legal
// moves: the logits of a trained network may be large. Infinite if an output is not a number.
double difference_from_reference(const NetworkWeights& weights, Evaluator& evaluator,
                                 const env::RuleSet& rules = {});

}  // namespace awale::nn
