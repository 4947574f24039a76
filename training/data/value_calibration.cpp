#include "training/data/value_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "training/data/rounding.hpp"

namespace awale::training {

void Calibration::add(double value, double outcome) {
  const double place = (std::clamp(value, -1.0, 1.0) + 1) / 2 * kBins;
  Bin& bin = bins_[std::min(kBins - 1, static_cast<std::size_t>(place))];
  ++bin.count;
  bin.value += value;
  bin.outcome += outcome;
  squared_error_ += (value - outcome) * (value - outcome);
}

std::uint64_t Calibration::count() const {
  return std::accumulate(bins_.begin(), bins_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Bin& bin) { return sum + bin.count; });
}

double Calibration::mean_squared_error() const {
  return ratio(squared_error_, static_cast<double>(count()));
}

double Calibration::expected_error() const {
  double sum = 0;
  for (const Bin& bin : bins_)
    sum += std::abs(bin.value - bin.outcome);
  return ratio(sum, static_cast<double>(count()));
}

nlohmann::ordered_json Calibration::to_json() const {
  auto json = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < kBins; ++i) {
    const auto count = static_cast<double>(bins_[i].count);
    if (bins_[i].count == 0) continue;
    const double low = -1 + 2.0 * static_cast<double>(i) / kBins;
    json.push_back({{"low", short_number(low)},
                    {"high", short_number(low + 2.0 / kBins)},
                    {"n", bins_[i].count},
                    {"mean_value", short_number(bins_[i].value / count)},
                    {"mean_outcome", short_number(bins_[i].outcome / count)}});
  }
  return json;
}

}  // namespace awale::training
