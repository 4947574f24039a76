// Files as plain bytes, for comparing and for damaging them.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace awale::tests {

inline std::string read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_bytes(const std::filesystem::path& path, const std::string& bytes) {
  // ext4 syncs a file that was truncated and written anew, which takes its time; not a new one.
  std::error_code missing;
  std::filesystem::remove(path, missing);
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  if (!file.flush()) throw std::runtime_error("cannot write " + path.string());
}

}  // namespace awale::tests
