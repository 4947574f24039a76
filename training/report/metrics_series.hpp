// metrics.jsonl as columns: what the charts of a report are drawn from.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>

namespace awale::training {

// More points than a chart has pixels tell nothing.
inline constexpr std::size_t kMostSeriesPoints = 1000;

struct MetricsSeries {
  std::size_t iterations = 0;  // lines
  std::size_t merged = 1;      // so many of them are one point
  // A column each number, all of the same length, null where a line has none. Names as TensorBoard
  // has them, objects within objects joined by '/'. A point holds the mean of its lines, but the
  // last value of what counts the run so far (iteration, total_*, run_*).
  nlohmann::ordered_json columns = nlohmann::ordered_json::object();
  nlohmann::ordered_json alarms = nlohmann::ordered_json::array();  // {iteration, names} that begin
};

// Of the lines of metrics.jsonl (json_lines.hpp).
MetricsSeries metrics_series(std::span<const nlohmann::ordered_json> lines);

}  // namespace awale::training
