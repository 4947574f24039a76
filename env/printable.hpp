// What somebody else wrote, within a message of our own.
#pragma once

#include <string>
#include <string_view>

namespace awale::env {

// `message` as one line of ASCII: other bytes as \xNN, so that a character is never cut in half,
// and the middle left out of what is longer than any error about sound input.
std::string printable(std::string_view message);

}  // namespace awale::env
