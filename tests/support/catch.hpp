// Catch2 version 2 (Debian 12) or 3, under one include: Approx and contains() by the same names.
#pragma once

#include <string>

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;

namespace awale::tests {
inline auto contains(const std::string& text) {
  return Catch::Matchers::ContainsSubstring(text);
}
}  // namespace awale::tests
#else
#include <catch2/catch.hpp>  // puts Approx into the global namespace itself

namespace awale::tests {
inline auto contains(const std::string& text) {
  return Catch::Contains(text);
}
}  // namespace awale::tests
#endif
