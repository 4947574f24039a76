#include "nn/blas.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>

#include "env/error.hpp"

namespace awale::nn {
namespace {

constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// A function of OpenBLAS, if it is loaded.
template <typename Function>
Function* openblas_function(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

// The best kernels that OpenBLAS 0.3.21 and later have for this processor, empty if unknown.
std::string core_of_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return "SkylakeX";
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return {};
}

}  // namespace

BlasInfo blas_info() {
  BlasInfo info;
  if (auto* core = openblas_function<char*()>("openblas_get_corename")) {
    info.openblas = true;
    info.core = core();
  }
  constexpr int kSerialBuild = 0;
  constexpr int kPthreadBuild = 1;
  if (auto* parallel = openblas_function<int()>("openblas_get_parallel")) {
    info.own_threads = parallel() == kPthreadBuild;
    info.thread_safe = parallel() != kSerialBuild;
  }
  return info;
}

std::string better_openblas_core() {
  const BlasInfo info = blas_info();
  const bool generic = info.core == "Prescott" || info.core == "Core2";
  return generic ? core_of_processor() : std::string();
}

void restart_with_better_blas(char** argv) {
  const std::string core = better_openblas_core();
  if (core.empty() || std::getenv(kCoreVariable) != nullptr) return;
  setenv(kCoreVariable, core.c_str(), 0);
  execv("/proc/self/exe", argv);
}

void use_one_blas_thread() {
  if (!blas_info().own_threads) return;
  if (auto* set = openblas_function<void(int)>("openblas_set_num_threads")) set(1);
}

void require_thread_safe_blas(int threads) {
  if (threads <= 1 || blas_info().thread_safe) return;
  throw InputError(
      ErrorKind::kUsage,
      "the serial build of OpenBLAS gives wrong products when several threads use it: "
      "install libopenblas0-pthread (apt-get install libopenblas0-pthread) or run with "
      "--threads 1");
}

}  // namespace awale::nn
