// The subcommands of `awale endgame`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace awale::training {

void add_endgame_build(CLI::App& endgame);
void add_endgame_probe(CLI::App& endgame);
void add_endgame_verify(CLI::App& endgame);
void add_endgame_stats(CLI::App& endgame);

// --table FILE, required.
CLI::Option* add_table(CLI::App& app, std::string& path);

// The same where none is needed; `use` says what one does there.
CLI::Option* add_optional_table(CLI::App& app, std::string& path, const std::string& use);

}  // namespace awale::training
