#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "env/rules.hpp"
#include "mcts/search_config.hpp"
#include "nn/evaluator_config.hpp"
#include "training/cli/shell_completion.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {
namespace {

template <typename Kind>
std::vector<std::string> names_of(const std::vector<std::pair<std::string, Kind>>& kinds) {
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds)
    names.push_back(name);
  return names;
}

ListedValues listed_values() {
  const auto shells = std::vector<std::string>{"bash", "zsh"};
  return {{"--rules", env::preset_names()},
          {"--algorithm", mcts::algorithm_names()},
          {"--evaluator", names_of(nn::evaluator_kinds())},
          {"--device", names_of(nn::devices())},
          {"SHELL", shells}};
}

}  // namespace

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* completion = app.add_subcommand(
      "completion", "Print a script that completes awale's command line in a shell.");
  completion->add_option("SHELL", *shell, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));
  completion->footer(
      "Examples:\n"
      "  source <(awale completion bash)\n"
      "  awale completion bash > ~/.local/share/bash-completion/completions/awale\n"
      "  awale completion zsh > ~/.zfunc/_awale    # a folder of $fpath");
  completion->callback([shell, &app] {
    const Command command = command_tree(app, listed_values());
    std::cout << (*shell == "bash" ? bash_completion(command) : zsh_completion(command));
  });
}

}  // namespace awale::training
