#include "nn/blas.hpp"

#include <dlfcn.h>

#include <cstdlib>

#include "env/error.hpp"

namespace awale::nn {
namespace {

constexpr const char* kLibrary = "libopenblas.so.0";
constexpr const char* kCoreVariable = "OPENBLAS_CORETYPE";

// OpenBLAS as long as the object lives; with RTLD_NOLOAD only if it is loaded already.
class OpenBlas {
 public:
  explicit OpenBlas(int mode) : library_(dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL | mode)) {}
  OpenBlas(const OpenBlas&) = delete;
  OpenBlas& operator=(const OpenBlas&) = delete;
  ~OpenBlas() {
    if (library_ != nullptr) dlclose(library_);
  }

  // Null if there is no OpenBLAS, or it has no such function.
  template <typename Function>
  Function* function(const char* name) const {
    return library_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(library_, name));
  }

  // The kernels that it has chosen, empty without it.
  std::string core() const {
    auto* core = function<char*()>("openblas_get_corename");
    return core != nullptr ? core() : "";
  }

 private:
  void* library_;
};

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

// What to take instead of `core`; empty if it is fine.
std::string better_core(const std::string& core) {
  const bool oldest = core == "Prescott" || core == "Core2";
  return oldest ? core_of_processor() : std::string();
}

}  // namespace

BlasInfo blas_info() {
  const OpenBlas blas(RTLD_NOLOAD);
  BlasInfo info;
  info.core = blas.core();
  info.openblas = !info.core.empty();
  constexpr int kSerialBuild = 0;
  constexpr int kPthreadBuild = 1;
  if (auto* parallel = blas.function<int()>("openblas_get_parallel")) {
    info.own_threads = parallel() == kPthreadBuild;
    info.thread_safe = parallel() != kSerialBuild;
  }
  return info;
}

// It decides when it is loaded; so it is loaded to see what it takes, and leaves before LibTorch
// loads it again.
void choose_openblas_core() {
  if (std::getenv(kCoreVariable) != nullptr) return;
  const std::string better = better_core(OpenBlas(0).core());
  if (!better.empty()) setenv(kCoreVariable, better.c_str(), 0);
}

std::string better_openblas_core() {
  return better_core(blas_info().core);
}

void use_one_blas_thread() {
  if (!blas_info().own_threads) return;
  const OpenBlas blas(RTLD_NOLOAD);
  if (auto* set = blas.function<void(int)>("openblas_set_num_threads")) set(1);
}

void require_thread_safe_blas() {
  if (blas_info().thread_safe) return;
  throw InputError(ErrorKind::kUsage,
                   "the serial build of OpenBLAS gives wrong products when several threads use it: "
                   "install libopenblas0-pthread (apt-get install libopenblas0-pthread)");
}

}  // namespace awale::nn
