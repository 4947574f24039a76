// The command with its subcommands as data: what shell completion and the manual page are written
// from, so that they say what the command does.
#pragma once

#include <CLI/CLI.hpp>
#include <map>
#include <string>
#include <vector>

namespace awale::training {

struct CommandOption {
  std::vector<std::string> names;  // as typed: "--simulations"; the short one of a config key first
  std::string value;               // "INT=64", "" for a flag
  std::string help;
  std::vector<std::string> values;  // all that may follow, where they are listed
  bool required = false;
  bool positional = false;  // names has its one name, which is not typed
};

struct Command {
  std::string path;  // "awale data verify"
  std::string help;
  std::string footer;
  std::vector<CommandOption> options;  // in the order of --help
  std::vector<Command> subcommands;
};

// What may follow an option, by the name that is typed ("--rules"), or stand in a positional's
// place
// ("SHELL").
using ListedValues = std::map<std::string, std::vector<std::string>>;

// The command `app` and all below it; `listed` says what CLI11 does not know.
Command command_tree(const CLI::App& app, const ListedValues& listed);

}  // namespace awale::training
