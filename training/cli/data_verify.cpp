#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "env/error.hpp"
#include "training/cli/data.hpp"
#include "training/cli/options.hpp"
#include "training/data/verify.hpp"
#include "training/format_text.hpp"
#include "training/progress.hpp"

namespace awale::training {
namespace {

struct VerifyOptions {
  std::vector<std::string> paths;
  bool set_aside = false;
  bool json = false;
};

VerifyReport verify(const VerifyOptions& options) {
  Progress progress("verify", "files", count_files(options.paths));
  return verify_data(options.paths, options.set_aside, [&progress] { progress.advance(1); });
}

void run_verify(const VerifyOptions& options) {
  const auto report = verify(options);
  if (options.json) {
    std::cout << to_json(report).dump(2) << '\n';
  } else {
    std::cout << to_text(report);
  }
  if (!report.damaged.empty()) {
    const auto& first = report.damaged.front();
    throw InputError(ErrorKind::kFile, count_text(report.damaged.size(), "damaged file") +
                                           ", the first: " + first.problem);
  }
  if (!report.contradictions.empty()) {
    throw InputError(ErrorKind::kMismatch,
                     count_text(report.contradictions.size(), "contradiction") +
                         ", the first: " + report.contradictions.front());
  }
}

}  // namespace

void add_data_verify(CLI::App& data) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* verify = data.add_subcommand(
      "verify", "Read shards and checkpoints as a whole, replay every game, set damage aside.");
  add_data_paths(*verify, options->paths);
  verify->add_flag("--set-aside", options->set_aside,
                   "move damaged files to damaged/ beside them, of a run also the checkpoints that "
                   "it cannot go on from; remove what killed writers have left");
  add_json(*verify, options->json);
  verify->footer(
      "Checksums, every game by its rules, and within a directory or run: file names, one seed, "
      "no\n"
      "game twice, in a run none missing. It says from which checkpoint a damaged run goes on\n"
      "and which iterations are played again (to the same bytes).\n"
      "\n"
      "Exit code 0 if all is sound (leftovers of killed writers are no damage), 4 if a file is\n"
      "damaged, 5 if sound files contradict each other, are of another kind, or a\n"
      "newer awale wrote them.\n"
      "\n"
      "Examples:\n"
      "  awale data verify runs/first\n"
      "  awale data verify runs/first --set-aside && awale train --run runs/first --resume");
  verify->callback([options] { run_verify(*options); });
}

}  // namespace awale::training
