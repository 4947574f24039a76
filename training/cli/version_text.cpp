#include "training/cli/version_text.hpp"

#include <H5public.h>

#include <CLI/Version.hpp>
#include <Eigen/Core>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "nn/torch_info.hpp"
#include "training/version.hpp"

namespace awale::training {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

std::string rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.0f", value);
  return text;
}

// The program does without LibTorch where it must.
std::string torch_text() {
  try {
    const auto torch = nn::torch_info();
    return "LibTorch       " + torch.version + "\nBLAS           " + torch.blas + ", " +
           rounded(torch.cpu_gflops) + " GFLOP/s a thread\nCUDA devices   " +
           std::to_string(torch.cuda_devices) + "\n";
  } catch (const InputError& error) {
    return std::string("LibTorch       ") + error.what() + "\n";
  }
}

}  // namespace

std::string version_text() {
  std::string text = std::string("awale ") + kVersion + " (git " + kGitRevision + ")\n";
  text += torch_text();
  text += "HDF5           " + dotted(H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE) + "\n";
  text += "Eigen          " +
          dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION) + "\n";
  text += std::string("CLI11          ") + CLI11_VERSION + "\n";
  text += "nlohmann-json  " + dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                                     NLOHMANN_JSON_VERSION_PATCH);
  return text;
}

}  // namespace awale::training
