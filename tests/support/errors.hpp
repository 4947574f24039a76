// The message of the InputError that a call throws.
#pragma once

#include <string>

#include "env/error.hpp"

namespace awale::test {

// "" if nothing is thrown or the kind is another one.
template <typename Call>
std::string error_of(ErrorKind kind, const Call& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.kind() == kind ? error.what() : "";
  }
  return "";
}

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace awale::test
