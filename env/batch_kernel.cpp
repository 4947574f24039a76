#include "env/batch_kernel.hpp"

#include <string>
#include <vector>

#include "env/error.hpp"

namespace awale::env {

extern const Kernel kPortableKernel;
#if defined(AWALE_X86_KERNELS)
extern const Kernel kAvx2Kernel;
extern const Kernel kAvx512Kernel;
#endif

namespace {

constexpr std::int8_t mask(bool value) {
  return value ? -1 : 0;
}

std::vector<Kernel> find_kernels() {
  std::vector<Kernel> found;
#if defined(AWALE_X86_KERNELS)
  if (__builtin_cpu_supports("avx512bw")) found.push_back(kAvx512Kernel);
  if (__builtin_cpu_supports("avx2")) found.push_back(kAvx2Kernel);
#endif
  found.push_back(kPortableKernel);
  return found;
}

}  // namespace

KernelRules::KernelRules(const RuleSet& rules)
    : lowest_capture(rules.capture_counts == CaptureCounts::kTwoThree ? 2 : 1),
      voids_grand_slams(mask(rules.grand_slam == GrandSlam::kNoCapture)),
      forbids_grand_slams(mask(rules.grand_slam == GrandSlam::kIllegal ||
                               rules.grand_slam == GrandSlam::kIllegalUnlessOnly)),
      only_slams_allowed(mask(rules.grand_slam == GrandSlam::kIllegalUnlessOnly)),
      must_feed(mask(rules.must_feed)),
      plays_on(mask(rules.cannot_feed == CannotFeed::kPlaysOn)),
      target_seeds(static_cast<std::int8_t>(rules.target_seeds > 0 ? rules.target_seeds : 127)),
      ply_limit{static_cast<std::int8_t>(rules.ply_limit & 0xff),
                static_cast<std::int8_t>(rules.ply_limit >> 8)},
      counts_repetition(mask(rules.repetition_occurrence > 0)) {}

std::uint8_t digest(const std::uint8_t* pits) {
  unsigned value = 0;
  for (int i = 0; i < kPitsPerSide; ++i)
    value = 3 * value + pits[i];
  return static_cast<std::uint8_t>(value);
}

std::span<const Kernel> kernels() {
  static const std::vector<Kernel> found = find_kernels();
  return found;
}

const Kernel& kernel(std::string_view name) {
  std::string names;
  for (const Kernel& known : kernels()) {
    if (known.name == name) return known;
    names += (names.empty() ? "" : ", ") + std::string(known.name);
  }
  throw InputError(ErrorKind::kUsage, "no batch kernel '" + std::string(name) +
                                          "' on this machine; there are " + names);
}

}  // namespace awale::env
