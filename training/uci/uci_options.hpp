// The options of an engine as the protocol names, describes and sets them.
#pragma once

#include <string>
#include <vector>

#include "training/uci/uci_command.hpp"
#include "training/uci/uci_engine.hpp"

namespace awale::training {

// "option name Threads type spin default 1 min 1 max 6", a line each; the defaults are `options`.
std::vector<std::string> uci_option_lines(const UciOptions& options);

// Changes what `option` names (in any case) in `options`. False where nothing follows from it for
// the search. Throws InputError(kUsage) for an unknown name or a value out of range.
bool apply(const SetOption& option, UciOptions& options);

}  // namespace awale::training
