#include "training/report/metrics_series.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace awale::training {
namespace {

using Json = nlohmann::ordered_json;
using Numbers = std::vector<std::pair<std::string, double>>;

void flatten(const Json& object, const std::string& prefix, Numbers& numbers) {
  for (const auto& [key, value] : object.items()) {
    if (value.is_object()) flatten(value, prefix + key + "/", numbers);
    if (value.is_number()) numbers.emplace_back(prefix + key, value.get<double>());
  }
}

bool counts_the_run(const std::string& name) {
  return name == "iteration" || name.starts_with("total_") || name.starts_with("run_");
}

// The column of a number: its values so far, and the point that is being filled.
class Column {
 public:
  explicit Column(const std::string& name) : last_(counts_the_run(name)) {}

  void add(double value) {
    sum_ = last_ ? value : sum_ + value;
    count_ = last_ ? 1 : count_ + 1;
  }

  // Ends point number `point`, from 0.
  void end(std::size_t point) {
    values_.resize(point);  // nulls where the number had not come yet
    values_.push_back(count_ > 0 ? Json(sum_ / static_cast<double>(count_)) : Json());
    sum_ = 0;
    count_ = 0;
  }

  const std::vector<Json>& values() const { return values_; }

 private:
  bool last_;
  double sum_ = 0;
  std::size_t count_ = 0;
  std::vector<Json> values_;
};

class Columns {
 public:
  explicit Columns(std::size_t merged) : merged_(merged) {}

  void add(const Json& line) {
    Numbers numbers;
    flatten(line, "", numbers);
    for (const auto& [name, value] : numbers)
      column(name).add(value);
    if (++lines_ % merged_ == 0) end_point();
  }

  Json finish() {
    if (lines_ % merged_ != 0) end_point();
    Json json = Json::object();
    for (const auto& [name, column] : columns_)
      json[name] = column.values();
    return json;
  }

 private:
  Column& column(const std::string& name) {
    for (auto& [known, column] : columns_) {
      if (known == name) return column;
    }
    return columns_.emplace_back(name, Column(name)).second;
  }

  void end_point() {
    for (auto& [name, column] : columns_)
      column.end(points_);
    ++points_;
  }

  std::size_t merged_;
  std::size_t lines_ = 0;
  std::size_t points_ = 0;
  std::vector<std::pair<std::string, Column>> columns_;  // in the order of the file
};

std::set<std::string> alarms_of(const Json& line) {
  std::set<std::string> names;
  const auto found = line.find("alarms");
  if (found == line.end() || !found->is_array()) return names;
  for (const Json& name : *found) {
    if (name.is_string()) names.insert(name.get<std::string>());
  }
  return names;
}

// The alarms that a line has and the one before had not.
Json beginning_alarms(std::span<const Json> lines) {
  auto alarms = Json::array();
  std::set<std::string> before;
  for (const Json& line : lines) {
    const auto names = alarms_of(line);
    auto begin = Json::array();
    for (const auto& name : names) {
      if (!before.contains(name)) begin.push_back(name);
    }
    if (!begin.empty()) alarms.push_back({{"iteration", line["iteration"]}, {"names", begin}});
    before = names;
  }
  return alarms;
}

}  // namespace

MetricsSeries metrics_series(std::span<const Json> lines) {
  MetricsSeries series;
  series.iterations = lines.size();
  series.merged =
      std::max<std::size_t>(1, (lines.size() + kMostSeriesPoints - 1) / kMostSeriesPoints);
  Columns columns(series.merged);
  for (const Json& line : lines)
    columns.add(line);
  series.columns = columns.finish();
  series.alarms = beginning_alarms(lines);
  return series;
}

}  // namespace awale::training
