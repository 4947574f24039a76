#include "training/inspect.hpp"

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct InspectOptions {
  std::string path;
  bool json = false;
};

void run_inspect(const InspectOptions& options) {
  const auto description = describe_file(options.path);
  std::cout << (options.json ? description.dump(2) + "\n" : to_text(description));
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* inspect = app.add_subcommand(
      "inspect", "Check a shard, checkpoint, weights file or run directory and say what is in it.");
  inspect->add_option("PATH", options->path, "file, run directory or pretrained")->required();
  add_json(*inspect, options->json);
  inspect->footer(
      "A shard is read and checked in full; damage ends with exit code 4.\n"
      "\n"
      "Examples:\n"
      "  awale inspect runs/quickstart\n"
      "  awale inspect runs/quickstart/shards/000012.h5 --json\n"
      "  awale inspect pretrained");
  inspect->callback([options] { run_inspect(*options); });
}

}  // namespace awale::training
