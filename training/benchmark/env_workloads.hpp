// The contestants of the environment's benchmark: each plays one ply in N random games a run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "env/batch_kernel.hpp"
#include "env/rules.hpp"
#include "training/benchmark/measure.hpp"

namespace awale::training {

// "naive", "scalar" and the kernels of this machine, the fastest last.
std::vector<std::string> env_contestants();

// The contestant called `name`, far enough into its games that they are of all ages.
std::unique_ptr<Workload> make_env_workload(const std::string& name, const env::RuleSet& rules,
                                            int games, std::uint64_t seed);

// What bounds the kernel: its random moves alone, its step alone, the step without a part of the
// rules, and a copy of the bytes that a step reads and writes. The rules must not count
// repetitions.
std::vector<Contestant> make_env_limits(const env::Kernel& kernel, const env::RuleSet& rules,
                                        int games);

}  // namespace awale::training
