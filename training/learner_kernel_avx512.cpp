// The learner's loops for AVX-512; compiled for it whatever the rest is compiled for.
#include "training/learner_kernel_impl.hpp"

namespace awale::training {

extern const LearnerKernel kAvx512LearnerKernel;
const LearnerKernel kAvx512LearnerKernel = make_learner_kernel<float>("avx512");
extern const LearnerKernel kBfloat16LearnerKernel;
const LearnerKernel kBfloat16LearnerKernel = make_learner_kernel<Bfloat16>("avx512 bf16");

}  // namespace awale::training
