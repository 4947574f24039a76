#include "training/metrics.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "env/error.hpp"
#include "nn/atomic_file.hpp"

namespace awale::training {
namespace {

// Drops lines of iterations after `iteration`, damaged ones and errors; visit(line) sees the
// others.
template <typename Visit>
void rewind(const std::filesystem::path& file, std::uint32_t iteration, const Visit& visit) {
  std::ifstream stream(file);
  if (!stream) return;
  std::string kept;
  for (std::string line; std::getline(stream, line);) {
    const auto object = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!object.is_object() || object.value("iteration", iteration + 1) > iteration) continue;
    if (object.contains("error")) continue;
    kept += line + '\n';
    visit(object);
  }
  nn::write_file_atomically(file, kept);
}

}  // namespace

void append_metrics(const std::filesystem::path& file, const nlohmann::ordered_json& line) {
  std::ofstream stream(file, std::ios::app);
  stream << line.dump() << '\n';
  stream.flush();
  if (!stream) {
    throw InputError(ErrorKind::kWrite, file.string() + ": cannot append: " + std::strerror(errno));
  }
}

TimeUsed rewind_metrics(const std::filesystem::path& file, std::uint32_t iteration) {
  TimeUsed time;
  rewind(file, iteration, [&time](const nlohmann::json& line) {
    time.seconds = line.value("run_seconds", time.seconds);
    time.core_seconds = line.value("run_core_seconds", time.core_seconds);
  });
  return time;
}

std::set<std::uint32_t> graded_iterations(const std::filesystem::path& file,
                                          std::uint32_t iteration) {
  std::set<std::uint32_t> graded;
  rewind(file, iteration, [&graded](const nlohmann::json& line) {
    graded.insert(line["iteration"].get<std::uint32_t>());
  });
  return graded;
}

}  // namespace awale::training
