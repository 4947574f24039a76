// The learner's loops for AVX2; compiled for it whatever the rest is compiled for.
#include "training/learner_kernel_impl.hpp"

namespace awale::training {

extern const LearnerKernel kAvx2LearnerKernel;
const LearnerKernel kAvx2LearnerKernel = make_learner_kernel<float>("avx2");

}  // namespace awale::training
