#include "training/report/json_lines.hpp"

#include <fstream>
#include <string>
#include <utility>

namespace awale::training {

JsonLines read_json_lines(const std::filesystem::path& file) {
  JsonLines found;
  std::ifstream stream(file);
  for (std::string text; std::getline(stream, text);) {
    auto line = nlohmann::ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (line.is_object() && line.contains("iteration") && line["iteration"].is_number_integer()) {
      found.lines.push_back(std::move(line));
    } else {
      ++found.skipped;
    }
  }
  return found;
}

double number_of(const nlohmann::ordered_json& line, const char* key) {
  const auto found = line.find(key);
  return found != line.end() && found->is_number() ? found->get<double>() : 0;
}

}  // namespace awale::training
