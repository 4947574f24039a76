// The BLAS behind LibTorch's matrix products, which decides the speed of everything: found in the
// running process, because Debian chooses it at load time.
//
// OpenBLAS picks its kernels by processor model, and a version older than the processor falls back
// to those of 2004 (Prescott), a fifth of the speed: Debian 12's 0.3.21 does so on Xeons of 2023.
// No LibTorch here.
#pragma once

#include <string>

namespace awale::nn {

struct BlasInfo {
  bool openblas = false;
  std::string core;          // OpenBLAS's kernels, "Haswell"
  bool own_threads = false;  // OpenBLAS's pthread build, which ignores LibTorch's thread settings
  bool thread_safe = true;   // several threads may multiply at the same time
};
BlasInfo blas_info();

// The value of OPENBLAS_CORETYPE with which OpenBLAS would run faster here; empty if it is fine.
std::string better_openblas_core();

// Starts the program again with OPENBLAS_CORETYPE set if that makes OpenBLAS faster and the user
// has not set it; else, or if it cannot, returns. Call it first thing in main: OpenBLAS reads the
// variable when it is loaded.
void restart_with_better_blas(char** argv);

// One thread for OpenBLAS's pthread build, in the whole process; nothing for others.
void use_one_blas_thread();

// Throws InputError(kUsage) if `threads` workers may not use this BLAS at the same time.
void require_thread_safe_blas(int threads);

}  // namespace awale::nn
