// Files of a JSON object a line, as a run appends them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace awale::training {

struct JsonLines {
  std::vector<nlohmann::ordered_json> lines;  // objects whose "iteration" is a whole number
  std::size_t skipped = 0;                    // what was cut off or is anything else
};

// None if there is no such file.
JsonLines read_json_lines(const std::filesystem::path& file);

// The number of a key, 0 where there is none.
double number_of(const nlohmann::ordered_json& line, const char* key);

}  // namespace awale::training
