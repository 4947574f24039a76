// Quantiles of numbers that are not kept.
#pragma once

#include <cstdint>
#include <map>

namespace awale::training {

// Numbers from 0 on, counted in bins of `width`; quantiles are a bin's lower end.
class Histogram {
 public:
  explicit Histogram(double width) : width_(width) {}
  void add(double value);
  std::uint64_t count() const { return count_; }
  double mean() const;
  // The smallest bin with a share of at least `share` in it and below.
  double quantile(double share) const;

 private:
  double width_;
  std::map<std::int64_t, std::uint64_t> bins_;
  std::uint64_t count_ = 0;
  double sum_ = 0;
};

}  // namespace awale::training
