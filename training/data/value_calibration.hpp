// How well values foretell outcomes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>

namespace awale::training {

// Values in [-1,1] against outcomes (-1, 0, 1) of the player to move, in ten bins.
class Calibration {
 public:
  static constexpr std::size_t kBins = 10;
  void add(double value, double outcome);
  std::uint64_t count() const;
  double mean_squared_error() const;
  // Mean |mean value - mean outcome| over the bins, weighted by what is in them.
  double expected_error() const;
  // [{low, high, n, mean_value, mean_outcome}, ...], bins with nothing in them left out.
  nlohmann::ordered_json to_json() const;

 private:
  struct Bin {
    std::uint64_t count = 0;
    double value = 0;
    double outcome = 0;
  };
  std::array<Bin, kBins> bins_ = {};
  double squared_error_ = 0;
};

}  // namespace awale::training
