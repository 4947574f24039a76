#include "training/cli/data.hpp"

#include "env/error.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"
#include "training/format_text.hpp"

namespace awale::training {

void add_data_paths(CLI::App& app, std::vector<std::string>& paths) {
  app.add_option("PATH", paths, "shards (HDF5), directories of shards, directories of runs")
      ->required()
      ->check(check_not_empty);
}

void add_new_file(CLI::App& app, std::string& path, const std::string& help) {
  app.add_option("--out", path, help)->required()->check(check_not_empty)->type_name("FILE");
}

void require_new(const std::filesystem::path& path) {
  std::error_code ignored;  // what cannot be looked at fails when it is written
  if (!std::filesystem::exists(path, ignored)) return;
  throw InputError(ErrorKind::kFile, quoted(path) + ": exists; choose another --out");
}

void add_data(CLI::App& app) {
  CLI::App* data = app.add_subcommand(
      "data", "Check, count, merge and relabel recorded games; draw training rows from them.");
  data->require_subcommand(1);
  add_data_verify(*data);
  add_data_stats(*data);
  add_data_merge(*data);
  add_data_relabel(*data);
  add_data_sample(*data);
  data->footer(
      "Examples:\n"
      "  awale data verify runs/first\n"
      "  awale data stats runs/first\n"
      "  awale data merge runs/*/shards/*.h5 --out all.h5\n"
      "  awale data relabel runs/first/shards/*.h5 --checkpoint runs/second --out newer\n"
      "  awale data sample runs/first --rows 100000 --out rows.h5\n"
      "\n"
      "The fields of shards and rows are documented in training/README.md.");
}

}  // namespace awale::training
