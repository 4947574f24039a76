// The network that comes with the program (pretrained/README.md), part of its binary: it plays
// wherever the program lies.
#pragma once

#include <cstddef>
#include <span>

namespace awale::nn {

// By this name agents are loaded from it, and by "./pretrained" from a file called so.
inline constexpr const char* kPretrained = "pretrained";

// The file pretrained/awale.h5, as `awale export --format weights` wrote it.
std::span<const std::byte> pretrained_file();

}  // namespace awale::nn
