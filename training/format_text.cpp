#include "training/format_text.hpp"

#include <cstdarg>
#include <cstdio>

namespace awale::training {

std::string format_text(const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof(line), format, arguments);
  va_end(arguments);
  return line;
}

std::string range_text(int low, int high) {
  if (low == high) return format_text("%+d", low);
  return format_text("%+d..%+d", low, high);
}

std::string count_text(std::size_t count, const std::string& noun, std::string plural) {
  if (plural.empty()) plural = noun + "s";
  return std::to_string(count) + " " + (count == 1 ? noun : plural);
}

std::string quoted(const std::filesystem::path& path) {
  std::string text = "'";
  text += path.string();
  text += '\'';
  return text;
}

}  // namespace awale::training
