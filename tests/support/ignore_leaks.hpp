// HDF5 itself loses memory when it meets damaged metadata; LeakSanitizer shall not report that.
#pragma once

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>

namespace awale::tests {
// As long as it lives, what this thread allocates may leak.
using IgnoreLeaks = __lsan::ScopedDisabler;
}  // namespace awale::tests
#else
namespace awale::tests {
struct IgnoreLeaks {
  IgnoreLeaks() {}  // not trivial, so that no compiler calls it unused
};
}  // namespace awale::tests
#endif
