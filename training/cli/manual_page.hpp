// The manual page, awale(1), in the macros of man(7).
#pragma once

#include <string>

#include "training/cli/command_tree.hpp"

namespace awale::training {

// `version` stands at the foot of the page.
std::string manual_page(const Command& command, const std::string& version);

}  // namespace awale::training
