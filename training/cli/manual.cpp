#include <iostream>

#include "training/cli/manual_page.hpp"
#include "training/cli/subcommand.hpp"
#include "training/version.hpp"

namespace awale::training {

void add_manual(CLI::App& app) {
  CLI::App* manual = app.add_subcommand("manual", "Print the manual page, all subcommands in one.");
  manual->footer(
      "Examples:\n"
      "  awale manual | man -l -\n"
      "  awale manual > ~/.local/share/man/man1/awale.1");
  manual->callback([&app] { std::cout << manual_page(command_tree(app, {}), kVersion); });
}

}  // namespace awale::training
