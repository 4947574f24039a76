// Numbers as they stand in statistics.
#pragma once

#include <cmath>

namespace awale::training {

inline double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

inline double rounded(double value, double unit) {
  return std::round(value / unit) * unit;
}

// Three decimals are enough of a share or a mean.
inline double short_number(double value) {
  return std::isfinite(value) ? std::round(value * 1e4) / 1e4 : 0;
}

}  // namespace awale::training
