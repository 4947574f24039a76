#include "training/data/histogram.hpp"

#include <cmath>

#include "training/data/rounding.hpp"

namespace awale::training {

void Histogram::add(double value) {
  // A hair more, so that sums of decimal parts do not fall into the bin before.
  ++bins_[static_cast<std::int64_t>(std::floor(value / width_ + 1e-9))];
  ++count_;
  sum_ += value;
}

double Histogram::mean() const {
  return ratio(sum_, static_cast<double>(count_));
}

double Histogram::quantile(double share) const {
  const double wanted = share * static_cast<double>(count_);
  std::uint64_t below = 0;
  for (const auto& [bin, count] : bins_) {
    below += count;
    if (static_cast<double>(below) >= wanted) return static_cast<double>(bin) * width_;
  }
  return 0;
}

}  // namespace awale::training
