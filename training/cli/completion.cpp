#include <iostream>
#include <memory>

#include "training/cli/shell_completion.hpp"
#include "training/cli/subcommand.hpp"

namespace awale::training {

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
    const Command command = command_tree(app);
    std::cout << (*shell == "bash" ? bash_completion(command) : zsh_completion(command));
  });
}

}  // namespace awale::training
