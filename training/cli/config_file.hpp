// Config files: TOML with sections, applied to a subcommand's options (toml_file.hpp reads it).
//
// Key `simulations` in section [search] sets the option --search.simulations; only options with a
// dot in their name can be set. Values reach an option as their text, so a number may be quoted and
// a list of one value may be that value; arrays are for options that take several values, and have
// one at least. What the command line says wins over the file, the file over defaults.
//
// No TOML, a key or section that is no option, a key given twice and a value of the wrong type are
// InputError(kUsage), one line with the file, its line and what stands there; an unreadable file is
// InputError(kFile).
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

namespace awale::training {

// Adds `--config FILE`, which may be given several times: what a later file says wins over earlier
// ones. Files apply to the options that `app` has when it is parsed.
void add_config_file(CLI::App& app);

// Sets those options of `app` that have not been set yet.
void apply_config_file(CLI::App& app, const std::filesystem::path& file);

// All options of `app` that are config keys with their defaults, as a file that reads back to the
// same values: [section] headers, keys in the order in which the options were added. Throws
// InputError(kUsage) for a text that is not UTF-8.
std::string defaults_as_toml(const CLI::App& app);

}  // namespace awale::training
