#include "env/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace awale {

void check_failed(const char* condition, const char* file, int line, const std::string& message) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s (%s)\n", file, line, condition,
               message.c_str());
  std::abort();
}

}  // namespace awale
