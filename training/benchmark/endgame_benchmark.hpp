// What it costs to look a board up in an endgame table, at random places.
//
//   array   one byte at the place of the board, which is known: what the memory itself costs
//   probe   EndgameTable::probe of boards by chance, one after the other; the processor works on
//           several at once, as in a search that looks up many leaves
//   chain   the same, but which board is next depends on the answer before: the full delay
//
// All run in turns in the same rounds. Boards are drawn from the whole table, so nearly all are of
// its largest layers.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "training/benchmark/measure.hpp"

namespace awale::training {

struct EndgameBenchmarkConfig {
  std::filesystem::path table;
  MeasureConfig measure;
};

struct EndgameMeasurement {
  std::string name;
  Rate per_s;  // boards
  double nanoseconds() const { return 1e9 / per_s.median; }
};

// Shows its progress on stderr. Throws what EndgameTable::open() throws.
std::vector<EndgameMeasurement> benchmark_endgame(const EndgameBenchmarkConfig& config);

// A table for people; a list of objects for programs.
std::string to_text(const std::vector<EndgameMeasurement>& measurements);
nlohmann::json to_json(const std::vector<EndgameMeasurement>& measurements);

}  // namespace awale::training
