#include "nn/cpu_tiles.hpp"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace awale::nn {
namespace {

// CPUID leaf 7, EDX.
constexpr unsigned kAmxBfloat16 = 1U << 22;
constexpr unsigned kAmxTiles = 1U << 24;

bool processor_has_tiles() {
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (edx & kAmxBfloat16) != 0 &&
         (edx & kAmxTiles) != 0;
}

// The tiles' 8 KiB are part of a thread's state only for processes that have asked for them (Linux,
// Documentation/arch/x86/xstate.rst). Refused where the kernel does not save them.
bool ask_for_tiles() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // the number of the state component
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

}  // namespace

bool may_use_tiles() {
  static const bool allowed = processor_has_tiles() && ask_for_tiles();
  return allowed;
}

}  // namespace awale::nn
