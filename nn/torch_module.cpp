#include "nn/torch_module.hpp"

#include <dlfcn.h>

#include <cstdio>
#include <string>

#include "env/error.hpp"
#include "nn/blas.hpp"

namespace awale::nn {
namespace {

constexpr const char* kModule = "libawale_torch.so";

// The last message of the dynamic linker.
[[noreturn]] void fail() {
  const char* reason = dlerror();
  throw InputError(ErrorKind::kFile,
                   "no LibTorch: " + std::string(kModule) +
                       " must lie beside the program or in ../lib/awale, with what it needs (" +
                       (reason != nullptr ? reason : "no reason given") + ")");
}

const void* find(void* module, const char* table) {
  const void* address = dlsym(module, table);
  if (address == nullptr) fail();
  return address;
}

void warn_if_slow(void* module) {
  const auto* functions = static_cast<const TorchFunctions*>(find(module, kTorchFunctions));
  const TorchInfo info = functions->torch_info();
  if (!info.warning.empty()) std::fprintf(stderr, "awale: warning: %s\n", info.warning.c_str());
}

// Found by the program's run path.
void* load() {
  choose_openblas_core();
  void* module = dlopen(kModule, RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) fail();
  require_thread_safe_blas();
  warn_if_slow(module);
  return module;
}

void* loaded_module() {
  static void* const module = load();
  return module;
}

}  // namespace

const void* torch_table(const char* table) {
  return find(loaded_module(), table);
}

}  // namespace awale::nn
