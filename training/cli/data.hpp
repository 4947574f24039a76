// The subcommands of `awale data`.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

namespace awale::training {

void add_data_verify(CLI::App& data);
void add_data_stats(CLI::App& data);
void add_data_merge(CLI::App& data);
void add_data_relabel(CLI::App& data);
void add_data_sample(CLI::App& data);

// PATH..., required: shards, directories of shards, runs.
void add_data_paths(CLI::App& app, std::vector<std::string>& paths);

// --out FILE, required.
void add_new_file(CLI::App& app, std::string& path, const std::string& help);

// Throws InputError(kFile) if there is something at `path`: nothing is overwritten.
void require_new(const std::filesystem::path& path);

}  // namespace awale::training
