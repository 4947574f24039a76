#include "training/cli/command_tree.hpp"

#include <algorithm>

namespace awale::training {
namespace {

// Of "--search.simulations" and "--simulations" people type the second.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const auto& name : option.get_lnames())
    names.push_back("--" + name);
  for (const auto& name : option.get_snames())
    names.push_back("-" + name);
  std::stable_sort(names.begin(), names.end(), [](const auto& left, const auto& right) {
    return left.find('.') == std::string::npos && right.find('.') != std::string::npos;
  });
  return names;
}

std::string value_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return "";
  const std::string standard = option.get_default_str();
  return option.get_type_name() + (standard.empty() ? "" : "=" + standard);
}

CommandOption to_option(const CLI::Option& option, const ListedValues& listed) {
  CommandOption found;
  found.positional = option.get_positional();
  found.names = found.positional ? std::vector{option.get_name(true)} : names_of(option);
  found.value = value_of(option);
  found.help = option.get_description();
  found.required = option.get_required();
  for (const auto& name : found.names) {
    const auto values = listed.find(name);
    if (values != listed.end()) found.values = values->second;
  }
  return found;
}

Command to_command(const CLI::App& app, const std::string& above, const ListedValues& listed) {
  Command command;
  command.path = (above.empty() ? "" : above + " ") + app.get_name();
  command.help = app.get_description();
  command.footer = app.get_footer();
  for (const CLI::Option* option : app.get_options())
    command.options.push_back(to_option(*option, listed));
  for (const CLI::App* subcommand : app.get_subcommands([](const CLI::App*) { return true; }))
    command.subcommands.push_back(to_command(*subcommand, command.path, listed));
  return command;
}

}  // namespace

Command command_tree(const CLI::App& app, const ListedValues& listed) {
  return to_command(app, "", listed);
}

}  // namespace awale::training
