// Small texts of tables and reports.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace awale::training {

// printf into a string of at most 511 characters.
std::string format_text(const char* format, ...) __attribute__((format(printf, 1, 2)));

// A signed number or two: "+4", "-2..+6".
std::string range_text(int low, int high);

// A path as errors show it: "'games.h5'".
std::string quoted(const std::filesystem::path& path);

// "1 game", "7 games"; with the plural where it is irregular: "1 ply", "7 plies".
std::string count_text(std::size_t count, const std::string& noun, std::string plural = "");

}  // namespace awale::training
