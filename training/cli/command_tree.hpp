// The command with its subcommands as data: what shell completion and the manual page are written
// from, so that they say what the command does.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace awale::training {

struct CommandOption {
  std::vector<std::string> names;  // as typed: "--simulations"; the short one of a config key first
  std::string value;               // "INT=64", "" for a flag
  std::string help;
  std::vector<std::string> values;  // all that may follow, where they can be listed
  bool positional = false;          // names has its one name, which is not typed
};

struct Command {
  std::string path;  // "awale data verify"
  std::string help;
  std::string footer;
  std::vector<CommandOption> options;  // in the order of --help
  std::vector<Command> subcommands;
};

// The command `app` and all below it.
Command command_tree(const CLI::App& app);

}  // namespace awale::training
