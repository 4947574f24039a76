// Scripts that complete the command line in a shell: subcommands; options, where the word begins
// with a dash; the values of those that take one of a few; else files.
#pragma once

#include <string>

#include "training/cli/command_tree.hpp"

namespace awale::training {

// For `source <(awale completion bash)`, or a file in bash-completion's folder.
std::string bash_completion(const Command& command);

// For `source <(awale completion zsh)`, or a file _awale in a folder of $fpath.
std::string zsh_completion(const Command& command);

}  // namespace awale::training
