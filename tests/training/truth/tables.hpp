// Small endgame tables, built once a program.
#pragma once

#include <map>
#include <string>

#include "training/truth/quick_grade.hpp"

namespace awale::test {

// Of a preset, up to `seeds` seeds.
inline const env::EndgameTable& small_table(const std::string& preset, int seeds = 8) {
  static std::map<std::pair<std::string, int>, env::EndgameTable> tables;
  const auto key = std::pair(preset, seeds);
  if (!tables.contains(key)) {
    tables.emplace(key, training::build_table_in_memory(env::preset(preset), seeds, 1));
  }
  return tables.at(key);
}

}  // namespace awale::test
