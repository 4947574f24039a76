// Golden files: expected output as text under tests/golden, compared as a whole.
//
// AWALE_UPDATE_GOLDEN=1 in the environment writes the files instead; look at the difference with
// git before committing it.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/support/catch.hpp"

namespace awale::test {

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// `name`: a file below tests/golden.
inline void check_golden(const std::string& name, const std::string& text) {
  const std::string path = AWALE_SOURCE_DIR "/tests/golden/" + name;
  if (std::getenv("AWALE_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
  }
  INFO("golden file " << path << "; AWALE_UPDATE_GOLDEN=1 writes it anew");
  REQUIRE(read_text(path) == text);
}

}  // namespace awale::test
