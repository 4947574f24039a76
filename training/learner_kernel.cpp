// Which of the kernels this machine runs, and the one for every machine.
#include "training/learner_kernel.hpp"

#include <algorithm>
#include <vector>

#include "training/learner_kernel_impl.hpp"

namespace awale::training {

#if defined(AWALE_X86_KERNELS)
extern const LearnerKernel kAvx512LearnerKernel;
extern const LearnerKernel kBfloat16LearnerKernel;
extern const LearnerKernel kAvx2LearnerKernel;
#endif

namespace {

constexpr LearnerKernel kPortableKernel = make_learner_kernel<float>("portable");

std::vector<LearnerKernel> find_kernels() {
  std::vector<LearnerKernel> found;
#if defined(AWALE_X86_KERNELS)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx512 && __builtin_cpu_supports("avx512bf16")) found.push_back(kBfloat16LearnerKernel);
  if (avx512) found.push_back(kAvx512LearnerKernel);
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    found.push_back(kAvx2LearnerKernel);
#endif
  found.push_back(kPortableKernel);
  return found;
}

}  // namespace

std::span<const LearnerKernel> learner_kernels() {
  static const std::vector<LearnerKernel> found = find_kernels();
  return found;
}

const LearnerKernel* find_learner_kernel(bool bfloat16) {
  const auto all = learner_kernels();
  const auto found = std::find_if(all.begin(), all.end(), [bfloat16](const LearnerKernel& kernel) {
    return kernel.bfloat16 == bfloat16;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace awale::training
