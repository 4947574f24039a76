// What `awale --version` says: the program and every library that its results depend on.
#pragma once

#include <string>

namespace awale::training {

// Takes a few milliseconds: it measures the BLAS.
std::string version_text();

}  // namespace awale::training
