#include "env/printable.hpp"

#include <cstdio>

namespace awale::env {
namespace {

constexpr std::size_t kHead = 120;
constexpr std::size_t kTail = 200;

}  // namespace

std::string printable(std::string_view message) {
  std::string text;
  for (std::size_t i = 0; i < message.size(); ++i) {
    if (i == kHead && message.size() > kHead + kTail) {
      text += "[...]";
      i = message.size() - kTail;
    }
    const auto byte = static_cast<unsigned char>(message[i]);
    char escaped[8] = {message[i], '\0'};
    if (byte < 0x20 || byte >= 0x7f) std::snprintf(escaped, sizeof(escaped), "\\x%02x", byte);
    text += escaped;
  }
  return text;
}

}  // namespace awale::env
