#include "training/metrics.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"

namespace awale::training {

void append_metrics(const std::filesystem::path& file, const nlohmann::ordered_json& line) {
  std::ofstream stream(file, std::ios::app);
  stream << line.dump() << '\n';
  stream.flush();
  if (!stream) {
    throw InputError(ErrorKind::kWrite, file.string() + ": cannot append: " + std::strerror(errno));
  }
}

double rewind_metrics(const std::filesystem::path& file, std::uint32_t iteration) {
  std::ifstream stream(file);
  if (!stream) return 0;
  std::string kept;
  double seconds = 0;
  for (std::string line; std::getline(stream, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || object.value("iteration", iteration + 1) > iteration) continue;
    kept += line + '\n';
    seconds = object.value("run_seconds", seconds);
  }
  nn::write_file_atomically(file, kept);
  return seconds;
}

}  // namespace awale::training
