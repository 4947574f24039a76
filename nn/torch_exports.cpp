// What the module shows of this folder.
#include "nn/torch_module.hpp"

namespace awale::nn {

AWALE_TORCH_TABLE const TorchFunctions kAwaleTorchFunctions = {
    has_cuda, make_device_network, make_torch_evaluator, torch_info, export_network};

}  // namespace awale::nn
