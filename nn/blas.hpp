// The BLAS behind LibTorch's matrix products, which decides its speed: found in the running
// process, because Debian chooses it at load time.
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
// Of the OpenBLAS that is loaded, if one is.
BlasInfo blas_info();

// The value of OPENBLAS_CORETYPE with which the loaded OpenBLAS would run faster here; empty if it
// is fine.
std::string better_openblas_core();

// To be called before LibTorch is loaded, and OpenBLAS with it: sets OPENBLAS_CORETYPE where
// OpenBLAS would take its oldest kernels and the user has not set it.
void choose_openblas_core();

// One thread for OpenBLAS's pthread build, in the whole process; nothing for others.
void use_one_blas_thread();

// Throws InputError(kUsage) if not several threads may use the loaded BLAS at the same time.
void require_thread_safe_blas();

}  // namespace awale::nn
