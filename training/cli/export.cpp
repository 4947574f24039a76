#include "nn/export.hpp"

#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>

#include "training/checkpoint.hpp"
#include "training/cli/options.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

struct ExportOptions {
  std::string checkpoint;
  std::string format;
  std::string out;
  bool json = false;
};

const std::map<std::string, nn::ExportFormat> kFormats = {
    {"torchscript", nn::ExportFormat::kTorchScript},
    {"onnx", nn::ExportFormat::kOnnx},
    {"weights", nn::ExportFormat::kWeights}};

void run_export(const ExportOptions& options) {
  const Agent agent = load_agent(options.checkpoint);
  require_other_file("--out", options.out, agent.path);
  const auto check =
      nn::export_network(agent.weights, agent.rules, kFormats.at(options.format), options.out);
  if (options.json) {
    const nlohmann::ordered_json json = {{"checkpoint", agent.path.string()},
                                         {"format", options.format},
                                         {"out", options.out},
                                         {"positions", check.positions},
                                         {"max_difference", check.max_difference}};
    std::cout << json.dump(2) << '\n';
  } else {
    std::cout << options.out << ": " << options.format << " of " << agent.path.string()
              << ", read back and compared on " << check.positions
              << " positions, largest difference " << check.max_difference << '\n';
  }
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* export_app = app.add_subcommand(
      "export", "Hand the network out to other programs: TorchScript, ONNX or plain weights.");
  export_app
      ->add_option("--checkpoint", options->checkpoint,
                   "a checkpoint, a weights file, a run directory (its newest one) or pretrained")
      ->required()
      ->check(check_not_empty)
      ->type_name("PATH");
  export_app->add_option("--format", options->format, "torchscript (.pt), onnx, weights (HDF5)")
      ->required()
      ->check(CLI::IsMember(kFormats).description(""));
  export_app->add_option("--out", options->out, "file to write; replaced if it exists")
      ->required()
      ->check(check_not_empty)
      ->type_name("FILE");
  add_json(*export_app, options->json);
  export_app->footer(
      "The file is read back and compared with the network before it is put in place. How to feed\n"
      "it is described in nn/README.md.\n"
      "\n"
      "Examples:\n"
      "  awale export --checkpoint runs/quickstart --format onnx --out agent.onnx\n"
      "  awale export --checkpoint runs/quickstart --format torchscript --out agent.pt");
  export_app->callback([options] { run_export(*options); });
}

}  // namespace awale::training
