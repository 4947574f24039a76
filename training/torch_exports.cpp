// What the module shows of this folder.
#include "training/torch_functions.hpp"

namespace awale::training {

AWALE_TORCH_TABLE const TorchTrainingFunctions kAwaleTorchTrainingFunctions = {make_torch_learner,
                                                                               make_torch_product};

}  // namespace awale::training
