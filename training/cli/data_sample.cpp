#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>

#include "env/error.hpp"
#include "training/cli/data.hpp"
#include "training/cli/options.hpp"
#include "training/cli/training_options.hpp"
#include "training/data/data_files.hpp"
#include "training/data/sample.hpp"
#include "training/interrupt.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

constexpr std::uint64_t kMostRows = 1'000'000'000;

struct SampleOptions {
  std::vector<std::string> paths;
  std::uint64_t rows = 0;
  std::uint64_t seed = 1;
  std::string out;
  TargetConfig targets;
};

// A row of a shard that is there twice would be drawn twice.
void require_different(const std::vector<std::filesystem::path>& shards) {
  std::set<std::filesystem::path> found;
  std::error_code ignored;  // what cannot be looked at is reported where it is read
  for (const auto& shard : shards) {
    if (found.insert(std::filesystem::weakly_canonical(shard, ignored)).second) continue;
    throw InputError(ErrorKind::kUsage,
                     "PATH: expected each shard once, found '" + shard.string() + "' again");
  }
}

void run_sample(const SampleOptions& options) {
  options.targets.validate();
  require_new(options.out);
  const auto shards = find_shards(options.paths);
  require_different(shards);
  RowSample sample;
  {
    Progress progress("sample", "files", shards.size());
    sample = sample_rows(shards, options.rows, options.seed, options.targets,
                         [&progress] { progress.advance(1); });
  }
  watch_interrupt();  // a file that has been begun is finished, so that no temporary one remains
  write_rows(options.out, sample, options.targets);
  std::printf("%llu of %llu rows in %s\n", static_cast<unsigned long long>(sample.rows.size()),
              static_cast<unsigned long long>(sample.of_rows), options.out.c_str());
}

}  // namespace

void add_data_sample(CLI::App& data) {
  auto options = std::make_shared<SampleOptions>();
  CLI::App* sample = data.add_subcommand(
      "sample", "Draw training rows (positions, targets, features) for training in Python.");
  add_data_paths(*sample, options->paths);
  sample->add_option("--rows", options->rows, "how many, each at most once")
      ->required()
      ->check(in_range(std::uint64_t{1}, kMostRows));
  add_seed(*sample, options->seed);
  add_new_file(*sample, options->out, "file for the rows (HDF5), a new one");
  add_targets(*sample, options->targets);
  sample->footer(
      "Targets are those of `awale train`, the auxiliary heads' left out; every row of all games\n"
      "is as likely as any other. The fields are documented in training/README.md, the features "
      "in\n"
      "nn/README.md.\n"
      "\n"
      "Example:\n"
      "  awale data sample runs/first --rows 100000 --seed 1 --out rows.h5");
  sample->callback([options] { run_sample(*options); });
}

}  // namespace awale::training
